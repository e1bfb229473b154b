/* Brings the figures of a page to life as they come near, each in its place and with its data. */
RB.mount = function (figure) {
  const place = figure.querySelector(".rb-place"), text = figure.querySelector("script.rb-data");
  place.replaceChildren();
  figure.handle = RB.figures[figure.dataset.figure](place, text ? JSON.parse(text.textContent) : {});
  figure.classList.add("rb-alive");
  return figure.handle;
};

if (typeof document !== "undefined") {
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      RB.mount(target);
    }
  }, { rootMargin: "400px" });
  for (const figure of document.querySelectorAll(".rb-figure[data-figure]")) near.observe(figure);
}
