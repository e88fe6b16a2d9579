// Where things lie on the cloth, as `pitboss/layout/cloth.py` has it; a test holds the two against each other.

export const ARRANGEMENT = {
  "wide": 1000,
  "high": 620,
  "middle": {
    "x": 500,
    "y": 24
  },
  "across": 406,
  "down": 464,
  "line": 308,
  "lineHalf": 16,
  "first": 20,
  "step": 35,
  "rail": "M6 6H994V60C994 380 790 614 500 614S6 380 6 60Z",
  "cloth": "M22 20H978V62C978 372 782 600 500 600S22 372 22 62Z"
};
