export default definePageConfig({
  enablePullDownRefresh: true,
  backgroundTextStyle: 'dark',
})
