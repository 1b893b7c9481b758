import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { APP_VERSION } from '@/contract/constants'
import { codes } from '@/contract/errors'

const codeTable = Object.entries(codes)
  .map(([code, { http, msg }]) => `| ${code} | ${http} | ${msg} |`)
  .join('\n')

const description = `每个 \`/app-api\` 请求都要签名（\`timestamp\`、\`random\`、\`sign\` 请求头），每个回答都是 \`{success, msg, data, code}\`。

| code | HTTP | msg |
|---|---|---|
${codeTable}`

const headerKey = (name: string, text: string) => ({ type: 'apiKey', in: 'header', name, description: text }) as const

/** OpenAPI at /docs, generated from the contract. Must be registered before the calls. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: { title: '游戏账号估价专家', version: APP_VERSION, description },
      components: {
        securitySchemes: {
          sign: headerKey('sign', 'md5(canonical&timestamp=…&random=…&secret=…)'),
          token: headerKey('Token', '登录后得到'),
        },
      },
    },
  })
  await app.register(swaggerUi, { routePrefix: '/docs', uiConfig: { docExpansion: 'none' } })
}
