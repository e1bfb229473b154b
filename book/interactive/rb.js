/* The one name that the figures' scripts share. What is on offer registers itself here. */
const RB = {
  agents: {}, // name -> {make(arms, sMax, rounds, options), ...}: the algorithms
  figures: {}, // name -> function (place, data) that returns a handle
};
