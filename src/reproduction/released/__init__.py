"""The behaviour of the program that the authors published."""
