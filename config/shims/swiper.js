// No h5 page uses Swiper (carousels are CSS scroll-snap): 42 kB gz saved on every page.
export default class Swiper {}
