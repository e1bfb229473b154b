/* Where random numbers come from: a generator of the page's own, or draws recorded elsewhere. */

/* A 32-bit counter through a mixing function; two of its numbers make one with 53 bits. */
RB.random = function (seed) {
  let at = seed >>> 0, spare = null;
  function word() {
    at = (at + 0x9e3779b9) >>> 0;
    let x = at;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }
  function uniform() {
    return ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;
  }
  function normal() { // Marsaglia's polar method gives two at a time
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    for (;;) {
      const x = 2 * uniform() - 1, y = 2 * uniform() - 1, size = x * x + y * y;
      if (size > 0 && size < 1) {
        const scale = Math.sqrt((-2 * Math.log(size)) / size);
        spare = y * scale;
        return x * scale;
      }
    }
  }
  return { uniform, normal };
};

/* Draws that rb_core made, in its order, each with its kind: the tests feed agents with them. */
RB.recorded = function (kinds, values) {
  let at = 0;
  function next(kind) {
    if (kinds[at] !== kind) throw new Error(`draw ${at}: asked for ${kind}, recorded ${kinds[at]}`);
    return values[at++];
  }
  return { uniform: () => next("u"), normal: () => next("n"), left: () => values.length - at };
};
