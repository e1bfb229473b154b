/* The price of a pull (rb_core/pricing.py): what one pull a round is worth, and so what a pull of
 * each arm gains over resting. Tables hold one number a cell, arm * s_max + state - 1. */
RB.pricing = function (arms, sMax) {
  /* The bound on all averages at this price, and its slope. */
  function dual(means, price) {
    let bound = price, slope = 1;
    for (let a = 0; a < arms; a++) {
      let best = 0, state = 0;
      for (let s = 0; s < sMax; s++) {
        const gain = (means[a * sMax + s] - price) / (s + 1);
        if (gain > best) [best, state] = [gain, s + 1];
      }
      bound += best;
      if (state > 0) slope -= 1 / state;
    }
    return { price, bound, slope };
  }

  return {
    /* The price of the least bound, and that bound: straight pieces meet there. */
    least(means) {
      const most = Math.max(...means);
      let high = dual(means, most), low = dual(means, 2 * Math.min(...means) - most);
      for (let step = 0; step < 200 && low.slope < 0 && high.slope > 0; step++) {
        const meet = (low.bound - low.slope * low.price - high.bound + high.slope * high.price) /
          (high.slope - low.slope);
        if (!(low.price < meet && meet < high.price)) break;
        const between = dual(means, meet);
        if (between.slope < 0) low = between;
        else high = between;
      }
      return low.bound < high.bound ? low : high;
    },

    /* How much better than resting a pull is in each cell, for the arm alone. */
    advantages(means, price) {
      const table = new Float64Array(arms * sMax);
      for (let a = 0; a < arms; a++) {
        const first = a * sMax, last = first + sMax - 1;
        let gain = 0;
        for (let s = 0; s < sMax; s++) gain = Math.max(gain, (means[first + s] - price) / (s + 1));
        if (gain > 0) {
          let worth = means[last] - price - gain;
          table[last] = gain;
          for (let cell = last - 1; cell >= first; cell--) {
            const pull = means[cell] - price - gain, rest = worth - gain;
            table[cell] = pull - rest;
            worth = Math.max(pull, rest);
          }
        } else for (let cell = first; cell <= last; cell++) table[cell] = means[cell] - price;
      }
      return table;
    },
  };
};
