module.exports = class Swiper {}
