/** What says that something is not there, longest first. */
export const NOT: readonly string[] = ['没有', '不含', '不带', '没', '无', '缺', '差', '非']
