/** The real argon2 with its minimum cost, because tests log in a thousand times. */
const real = require('../../node_modules/@node-rs/argon2')

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

module.exports = { ...real, hash: (password, options) => real.hash(password, { ...options, ...cheap }) }
