"""Exact values: `Reference` on small shoes with fractions, `solve` on any shoe with compiled kernels."""
