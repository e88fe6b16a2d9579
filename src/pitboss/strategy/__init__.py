"""Best decisions as people use them: charts, exceptions, the reason of a decision, the price of a simpler rule."""
