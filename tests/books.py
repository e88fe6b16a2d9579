"""Short names of the five documents for tests that speak of one; tests of all rulebooks ask `RULEBOOKS`."""

NSW = "nsw-pontoon"
ADL = "adelaide-pontoon-2008"
ACT5 = "canberra-pontoon-2005"
ACT2 = "canberra-pontoon-2002"
BJC = "nsw-blackjack-challenge"
DOCUMENTS = (NSW, ADL, ACT5, ACT2, BJC)
