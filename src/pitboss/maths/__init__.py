"""Game mathematics: what a rulebook's wagers are worth, from its terms alone. Knows neither the table nor records."""

from pitboss.maths.shoes import MathsError, Shoe

__all__ = ["MathsError", "Shoe"]
