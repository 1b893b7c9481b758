type Params = Record<string, unknown>

/** Messages of the schema keywords that limit a value, shared by requests and imported forms. */
export const schemaMessages: Record<string, (params: Params) => string> = {
  minimum: (p) => `不能小于 ${p.limit}`,
  maximum: (p) => `不能大于 ${p.limit}`,
  minLength: (p) => `至少 ${p.limit} 个字符`,
  maxLength: (p) => `最多 ${p.limit} 个字符`,
  minItems: (p) => `至少 ${p.limit} 项`,
  maxItems: (p) => `最多 ${p.limit} 项`,
  uniqueItems: () => '有重复项',
}
