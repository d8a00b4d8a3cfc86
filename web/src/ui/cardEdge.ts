// The slightly uneven outline of a card in a box of 160 by 100, and the swing of the arrow on it.

export const EDGE =
  "M12 1.6Q80 .2 148 1.4 158.6 2 158.4 12.5 159.6 50 158.6 88 158 98.4 147.5 98.6 " +
  "80 99.8 12.5 98.5 1.8 98.4 1.5 87.5.3 50 1.4 12 2 2 12 1.6Z";

export const SWING = 8; // degrees by which an arrow starts beside its direction, too few to mean another player
