"""When things go wrong, by subject.

`reports`: what is told of it, and who approves that the game continues. `waiting`: what may be done until then.
`stray_cards`, `misdeals`, `short_hands`: cards out of order, hands laid wrongly, hands that lack cards.
`forgotten_steps`: a shuffle, a cut, a burn or an offer that was left out.
`voids`, `money`: rounds without a result, wagers that go back, payments that were wrong.
`people`: absent players, invalid wagers, loss limits, barred persons.
"""
