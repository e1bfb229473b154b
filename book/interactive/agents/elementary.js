/* Logarithm and exponential as rb_core/elementary.py has them, the same everywhere to the last bit:
 * with arms that are alike, the last bit decides which of them is pulled. */
RB.LN2 = 0.6931471805599453;

RB.logarithm = function (x) {
  let doublings = 0, total = 0;
  for (; x >= 1.5; doublings++) x *= 0.5;
  for (; x < 0.75; doublings--) x *= 2;
  const y = (x - 1) / (x + 1), square = y * y;
  for (let i = 12; i >= 0; i--) total = total * square + 1 / (2 * i + 1);
  return doublings * RB.LN2 + 2 * y * total;
};

/* Of a number that is at most 0. */
RB.exponential = function (x) {
  if (x < -700) return 0;
  const halvings = Math.trunc(0.5 - x / RB.LN2);
  let total = 1;
  x += halvings * RB.LN2;
  for (let i = 14; i > 0; i--) total = 1 + (total * x) / i;
  for (let i = 0; i < halvings; i++) total *= 0.5;
  return total;
};
