export default defineAppConfig({ pages: ['pages/index/index', 'pages/login/index'] })
