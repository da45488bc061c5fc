"""The lab: play against your own functions, watch them search, measure them."""
