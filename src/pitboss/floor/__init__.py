"""The floor: tables that people play at, and the people. The engine decides; the floor asks who may, and writes."""
