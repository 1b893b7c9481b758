exports.initTabbar = () => {}
