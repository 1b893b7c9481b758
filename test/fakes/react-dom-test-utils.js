exports.act = require('react').act
