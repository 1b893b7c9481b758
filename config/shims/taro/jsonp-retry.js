export default () => Promise.reject(new Error('JSONP is not supported'))
