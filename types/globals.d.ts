/// <reference types="@tarojs/taro" />

/** Put in by the build (config/index.ts, `defineConstants`). Empty on h5: the api is the page's own origin. */
declare const API_BASE: string
/** Put in by the build. A typing guard that ships with the client, never authorisation. */
declare const SIGN_SECRET: string
/** Put in by the build, mini-program only: template ids of one-time messages, comma-separated; may be empty. */
declare const SUBSCRIBE_TEMPLATES: string
/** Put in by the build: false in watch mode and in gallery builds. */
declare const PRODUCTION: boolean

declare module '*.scss'

/** Tests only: the platform the jest project stands for. */
declare const TEST_PLATFORM: 'h5' | 'weapp'
