/** The only reader of process.env. Every setting stands in SETTINGS once: name, default, meaning; the table of docs/reference/settings.md is made from it. */
type Kind = 'text' | 'number' | 'boolean' | 'list' | readonly string[]
type Setting = { kind: Kind; default: string; help: string; secret?: boolean }

export const SETTINGS = {
  PORT: { kind: 'number', default: '8080', help: 'Port of the one HTTP server.' },
  HOST: {
    kind: 'text',
    default: '127.0.0.1',
    help: 'Address to listen on. Set `0.0.0.0` in a container or behind a proxy on another machine.',
  },
  DATABASE_URL: {
    kind: 'text',
    default: '',
    help: 'PostgreSQL 15 or newer, e.g. `postgres://user:pass@host/db`. Empty: the embedded database.',
    secret: true,
  },
  REDIS_URL: {
    kind: 'text',
    default: '',
    help: 'Redis or Valkey, to count rates over several processes. Holds nothing of record.',
    secret: true,
  },
  CF_REDIS_PREFIX: { kind: 'text', default: 'cf', help: 'First part of every name in Redis; several installations may share one server.' },
  CF_DATA_DIR: { kind: 'text', default: './data', help: 'Folder of the embedded database. One process at a time.' },
  CF_PUBLIC_URL: {
    kind: 'text',
    default: '',
    help: 'Where people and apps reach this server, e.g. `https://content.example.com`; addresses of files begin with it. Empty: what the request was sent to.',
  },
  CF_LINK_URL: {
    kind: 'text',
    default: '',
    help: 'A host of its own for links that people follow in messages, e.g. `https://go.example.com`, which has to lead to this server: links that are counted, short links, and those to unsubscribe. Empty: `CF_PUBLIC_URL`.',
  },
  CF_UNSUBSCRIBE_LINKS: {
    kind: ['approval', 'configured'],
    default: 'approval',
    help: 'Where links in mails of campaigns and journeys lead while `CF_PUBLIC_URL` and `CF_LINK_URL` are empty. `approval`: where whoever approved a campaign, or let a journey begin, reached this server. `configured`: nowhere, and no such mail is sent.',
  },
  CF_MEDIA_DIR: {
    kind: 'text',
    default: '',
    help: 'Folder of uploaded files. Empty: `media` in `CF_DATA_DIR`. Processes that share a database share this folder too, or use S3.',
  },
  CF_S3_BUCKET: {
    kind: 'text',
    default: '',
    help: 'Keeps uploaded files in this bucket of S3, or of any store that speaks it, instead of a folder.',
  },
  CF_S3_ENDPOINT: {
    kind: 'text',
    default: '',
    help: 'Where that store is, e.g. `https://s3.example.com`; browsers send files there, so its CORS rules must allow `PUT`. Empty: Amazon S3.',
  },
  CF_S3_REGION: { kind: 'text', default: 'us-east-1', help: 'Region of the bucket.' },
  CF_S3_ACCESS_KEY: { kind: 'text', default: '', help: 'Id of the key that may read, write and delete there.' },
  CF_S3_SECRET_KEY: { kind: 'text', default: '', help: 'The key itself.', secret: true },
  CF_SECRET_KEY: {
    kind: 'list',
    default: '',
    help: 'What secrets are encrypted with before they are stored: 32 bytes in base64, e.g. from `openssl rand -base64 32`. Several, comma separated: the first encrypts, all decrypt, so a key is changed by putting the new one in front. Empty: a key file in `CF_DATA_DIR`; several processes need this setting.',
    secret: true,
  },
  CF_WEBHOOK_ALLOW_PRIVATE: {
    kind: 'boolean',
    default: 'off',
    help: 'Lets webhooks and channels go to addresses of private networks and of this machine. Only where everybody who is admin of a workspace may reach those.',
  },
  CF_DNS_SERVERS: {
    kind: 'list',
    default: '',
    help: 'Servers of names that are asked how the domains are set up that mail is sent from, by their numbers, e.g. `192.0.2.53` or `192.0.2.53:5353`. Empty: those of the system.',
  },
  CF_DATABASE_POOL: {
    kind: 'number',
    default: '10',
    help: 'PostgreSQL connections of one process. The embedded database always uses one.',
  },
  CF_ROLE: {
    kind: ['all', 'web', 'work'],
    default: 'all',
    help: 'What this process does: answer requests (`web`), do what is due, such as sending, imports and journeys (`work`), or both. With `web` processes there has to be one of the others. The embedded database has one process, which does both.',
  },
  CF_UPLOAD_SPACE_MB: {
    kind: 'number',
    default: '2000',
    help: 'Disk that files on their way in may take together, in megabytes: pictures and imports, until they are stored. One workspace takes a quarter of it, or one file of 100 MB where that is more. Beyond it uploads answer 503 and when to come again.',
  },
  CF_STREAMS_PER_PROCESS: {
    kind: 'number',
    default: '0',
    help: 'Streams one process may have open; more are refused with 503. 0: as many as the limit of open files leaves besides a reserve, at most 50,000.',
  },
  CF_CONNECTIONS_PER_ADDRESS: {
    kind: 'number',
    default: '0',
    help: 'Connections, and streams, one address may hold. 0: three quarters of what this process may have, less where others hold some.',
  },
  CF_BOOTSTRAP: {
    kind: 'text',
    default: '',
    help: 'A JSON file with the workspaces, members, keys, channels and settings that are there after a start; docs/run/first-start.md says what it may hold.',
  },
  CF_ADMIN_EMAIL: {
    kind: 'text',
    default: '',
    help: 'Opens the first account, with a workspace of its own, at the start of an installation that has none. Needs `CF_ADMIN_PASSWORD_FILE`.',
  },
  CF_ADMIN_PASSWORD_FILE: { kind: 'text', default: '', help: 'The file with the password of that account.' },
  CF_DEMO: {
    kind: ['auto', 'on', 'off'],
    default: 'auto',
    help: 'Makes a demo workspace in an empty installation. `auto`: on the embedded database only.',
  },
  CF_SIGNUP: {
    kind: ['first', 'on', 'off'],
    default: 'first',
    help: 'Who may create an account: nobody once there is one (`first`), everybody, nobody.',
  },
  CF_WORKSPACES: {
    kind: ['everyone', 'operator'],
    default: 'everyone',
    help: 'Who may open further workspaces: everybody with an account, or only the operator (`POST /operator/workspaces`).',
  },
  CF_WORKSPACES_PER_ACCOUNT: {
    kind: 'text',
    default: '',
    help: 'How many workspaces one account may open, linked sandboxes not counted; `0`: any number. Empty: 10, or any number with `CF_SIGNUP=on`, where everybody may have a further account, and with `CF_TEST_HOOKS`.',
  },
  CF_PASSWORDS: {
    kind: ['documented', 'strict'],
    default: 'documented',
    help: 'Passwords that are among the 10,000 commonest, the own email or only blanks are refused wherever somebody chooses one in the browser or changes one. `strict`: also where programs open accounts (`POST /auth/signup`, `POST /members`); else such an account has to change it at its first sign-in in a browser.',
  },
  CF_SMTP_URL: {
    kind: 'text',
    default: '',
    help: 'Server of mail for links to a new password or address, e.g. `smtps://user:pass@mail.example.com`. Needs `CF_MAIL_FROM` and `CF_PUBLIC_URL`. Empty: admins and the operator make such links.',
    secret: true,
  },
  CF_MAIL_FROM: { kind: 'text', default: '', help: 'Sender of these mails, e.g. `ContentFlow <no-reply@example.com>`.' },
  CF_OIDC_ISSUER: {
    kind: 'text',
    default: '',
    help: 'Lets people sign in with this provider of OpenID Connect, e.g. `https://login.example.com/realms/staff`. Needs `CF_OIDC_CLIENT_ID`. Further ones are added by `PUT /operator/identity-providers/{id}`; docs/sign-in.md says what to fill in where.',
  },
  CF_OIDC_CLIENT_ID: { kind: 'text', default: '', help: 'Under which id that provider knows this installation.' },
  CF_OIDC_CLIENT_SECRET: { kind: 'text', default: '', help: 'The secret that goes with it. Empty: a public client.', secret: true },
  CF_OPERATOR_TOKEN: {
    kind: 'text',
    default: '',
    help: 'Opens the operator routes (suspend, resume, plan). Empty: they do not exist.',
    secret: true,
  },
  CF_DERIVED_KEYS: {
    kind: 'boolean',
    default: 'on',
    help: '`off` refuses the derivable keys `<workspace>_app` and `<workspace>_test` in the whole installation.',
  },
  CF_IP_LIMIT: {
    kind: ['monitor', 'enforce'],
    default: 'monitor',
    help: 'Whether the per-address rate is only counted or refuses requests.',
  },
  CF_TRUST_PROXY: { kind: 'number', default: '0', help: 'How many proxies in front may be believed about `X-Forwarded-For`.' },
  CF_GEOIP_FILE: {
    kind: 'text',
    default: '',
    help: 'An `.mmdb` file that tells where addresses are. Empty: the built-in one, which knows countries.',
  },
  CF_PORTAL_ORIGINS: {
    kind: 'list',
    default: '',
    help: 'Origins, comma separated, whose pages may call the management API from a browser.',
  },
  CF_DRAIN_SECONDS: {
    kind: 'number',
    default: '0',
    help: 'How long a stopping process stays reachable after `/readyz` turned to 503, for load balancers to notice.',
  },
  CF_LOG_LEVEL: {
    kind: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    default: 'info',
    help: 'Least level of the JSON log on standard output.',
  },
  CF_TEST_HOOKS: {
    kind: 'boolean',
    default: 'off',
    help: 'Opens `/api/v1/test-hooks/*` (clock, jobs, faults) to the operator token. Never in production.',
  },
} as const satisfies Record<string, Setting>

export type Config = {
  port: number
  host: string
  databaseUrl: string
  redisUrl: string
  redisPrefix: string
  dataDir: string
  /** Without a slash at its end. */
  publicUrl: string
  /** Where links of messages lead that people follow: that of the server unless it has a host of its own for them. */
  linkUrl: string
  /** Whether mail of campaigns and journeys takes `publicUrl`. */
  isPublicUrlNeeded: boolean
  media: MediaConfig
  /** Of 32 bytes each; the first encrypts. */
  secretKeys: Buffer[]
  isPrivateAllowed: boolean
  databasePool: number
  dnsServers: string[]
  role: 'all' | 'web' | 'work'
  uploadSpaceBytes: number
  /** 0: as many as there is room for. */
  streamsPerProcess: number
  /** 0: a share. */
  connectionsPerAddress: number
  /** Path; empty: none. */
  bootstrap: string
  /** Undefined: the first account is opened in the browser. */
  admin: { email: string; passwordFile: string } | undefined
  /** What the environment says under a name that the bootstrap file names. */
  environment(name: string): string | undefined
  isDemoWanted: boolean
  signup: 'first' | 'on' | 'off'
  areWorkspacesOpen: boolean
  /** How many one account may open; Infinity: any number. */
  workspacesPerAccount: number
  arePasswordsStrict: boolean
  /** Undefined: this installation sends no mail of its own. */
  mail: MailConfig | undefined
  /** Undefined: no provider of sign-ins comes from the environment. */
  oidc: OidcConfig | undefined
  operatorToken: string
  areDerivedKeysOn: boolean
  isIpLimitEnforced: boolean
  trustedProxies: number
  geoIpFile: string
  portalOrigins: string[]
  drainSeconds: number
  logLevel: string
  hasTestHooks: boolean
}

type OidcConfig = { issuer: string; clientId: string; clientSecret: string }
export type MailConfig = { smtpUrl: string; from: string }
export type S3Config = { bucket: string; endpoint: string; region: string; accessKey: string; secretKey: string }
type MediaConfig = { folder: string; s3: S3Config | undefined }

/** Throws one Error that names every wrong setting. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = []
  const read = (name: keyof typeof SETTINGS): string => {
    const setting: Setting = SETTINGS[name]
    const text = env[name]?.trim() || setting.default
    const fault = settingFault(setting.kind, text)
    if (fault) faults.push(`${name} ${fault}`)
    return text
  }
  const isOn = (name: keyof typeof SETTINGS) => ON.includes(read(name))
  const readUrl = (name: keyof typeof SETTINGS) => {
    const text = read(name).replace(/\/+$/, '')
    if (text !== '' && !/^https?:\/\/[^/?#]+(\/[^?#]*)?$/.test(text)) faults.push(`${name} must be an http(s) address, not "${text}"`)
    return text
  }
  const readS3 = (): S3Config | undefined => {
    const [bucket, region] = [read('CF_S3_BUCKET'), read('CF_S3_REGION')]
    const s3 = {
      bucket,
      region,
      endpoint: readUrl('CF_S3_ENDPOINT') || `https://s3.${region}.amazonaws.com`,
      accessKey: read('CF_S3_ACCESS_KEY'),
      secretKey: read('CF_S3_SECRET_KEY'),
    }
    if (bucket === '') return undefined
    if (s3.accessKey === '' || s3.secretKey === '') faults.push('CF_S3_BUCKET needs CF_S3_ACCESS_KEY and CF_S3_SECRET_KEY')
    return s3
  }
  const readMail = (publicUrl: string): MailConfig | undefined => {
    const [smtpUrl, from] = [read('CF_SMTP_URL'), read('CF_MAIL_FROM')]
    if (smtpUrl === '') return undefined
    if (!/^smtps?:\/\/[^/?#\s]+/.test(smtpUrl)) faults.push('CF_SMTP_URL must begin with smtp:// or smtps://')
    if (!/^[^@\s<>]+@[^@\s<>]+$|^[^<>\r\n]*<[^@\s<>]+@[^@\s<>]+>$/.test(from)) faults.push('CF_SMTP_URL needs CF_MAIL_FROM, an address')
    // An address that whoever asks for a link could choose would lead its reader elsewhere.
    if (publicUrl === '') faults.push('CF_SMTP_URL needs CF_PUBLIC_URL, where its links lead')
    return { smtpUrl, from }
  }
  const readOidc = (): OidcConfig | undefined => {
    const [issuer, clientId] = [read('CF_OIDC_ISSUER'), read('CF_OIDC_CLIENT_ID')]
    const clientSecret = read('CF_OIDC_CLIENT_SECRET')
    if (issuer === '') return undefined
    if (!/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/.test(issuer)) faults.push('CF_OIDC_ISSUER must be an http(s) address without a query')
    if (clientId === '') faults.push('CF_OIDC_ISSUER needs CF_OIDC_CLIENT_ID')
    return { issuer, clientId, clientSecret }
  }
  const readAdmin = (): Config['admin'] => {
    const [email, passwordFile] = [read('CF_ADMIN_EMAIL'), read('CF_ADMIN_PASSWORD_FILE')]
    if ((email === '') !== (passwordFile === '')) faults.push('CF_ADMIN_EMAIL and CF_ADMIN_PASSWORD_FILE need each other')
    if (email !== '' && read('CF_BOOTSTRAP') !== '') faults.push('CF_ADMIN_EMAIL is not for CF_BOOTSTRAP, which names its own members')
    if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) faults.push('CF_ADMIN_EMAIL must be an address')
    return email === '' ? undefined : { email, passwordFile }
  }
  const readWorkspacesPerAccount = (): number => {
    const text = read('CF_WORKSPACES_PER_ACCOUNT')
    if (!/^\d{0,6}$/.test(text)) faults.push(`CF_WORKSPACES_PER_ACCOUNT must be a whole number, not "${text}"`)
    if (text !== '') return Number(text) || Infinity
    return read('CF_SIGNUP') === 'on' || isOn('CF_TEST_HOOKS') ? Infinity : WORKSPACES_PER_ACCOUNT
  }
  const readList = (name: keyof typeof SETTINGS) =>
    read(name)
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  const secretKeys = readList('CF_SECRET_KEY').map((text) => Buffer.from(text, 'base64'))
  if (secretKeys.some((key) => key.length !== 32)) faults.push('CF_SECRET_KEY must be 32 bytes in base64, or several such, comma separated')
  const dnsServers = readList('CF_DNS_SERVERS')
  if (!dnsServers.every((text) => /^(?:[\d.]+|[\da-f:]+|\[[\da-f:]+\])(?::\d{1,5})?$/i.test(text)))
    faults.push('CF_DNS_SERVERS must be numbers of servers, with or without a port, comma separated')
  const databaseUrl = read('DATABASE_URL')
  const publicUrl = readUrl('CF_PUBLIC_URL')
  const demo = read('CF_DEMO')
  const config: Config = {
    port: Number(read('PORT')),
    host: read('HOST'),
    databaseUrl,
    redisUrl: read('REDIS_URL'),
    redisPrefix: read('CF_REDIS_PREFIX'),
    dataDir: read('CF_DATA_DIR'),
    publicUrl,
    linkUrl: readUrl('CF_LINK_URL') || publicUrl,
    isPublicUrlNeeded: read('CF_UNSUBSCRIBE_LINKS') === 'configured',
    media: { folder: read('CF_MEDIA_DIR') || `${read('CF_DATA_DIR')}/media`, s3: readS3() },
    secretKeys,
    isPrivateAllowed: isOn('CF_WEBHOOK_ALLOW_PRIVATE'),
    databasePool: Number(read('CF_DATABASE_POOL')),
    dnsServers,
    role: read('CF_ROLE') as Config['role'],
    uploadSpaceBytes: Number(read('CF_UPLOAD_SPACE_MB')) * 1_000_000,
    streamsPerProcess: Number(read('CF_STREAMS_PER_PROCESS')),
    connectionsPerAddress: Number(read('CF_CONNECTIONS_PER_ADDRESS')),
    bootstrap: read('CF_BOOTSTRAP'),
    admin: readAdmin(),
    environment: (name) => env[name],
    isDemoWanted: demo === 'on' || (demo === 'auto' && databaseUrl === ''),
    signup: read('CF_SIGNUP') as Config['signup'],
    areWorkspacesOpen: read('CF_WORKSPACES') === 'everyone',
    workspacesPerAccount: readWorkspacesPerAccount(),
    arePasswordsStrict: read('CF_PASSWORDS') === 'strict',
    mail: readMail(publicUrl),
    oidc: readOidc(),
    operatorToken: read('CF_OPERATOR_TOKEN'),
    areDerivedKeysOn: isOn('CF_DERIVED_KEYS'),
    isIpLimitEnforced: read('CF_IP_LIMIT') === 'enforce',
    trustedProxies: Number(read('CF_TRUST_PROXY')),
    geoIpFile: read('CF_GEOIP_FILE'),
    portalOrigins: readList('CF_PORTAL_ORIGINS'),
    drainSeconds: Number(read('CF_DRAIN_SECONDS')),
    logLevel: read('CF_LOG_LEVEL'),
    hasTestHooks: isOn('CF_TEST_HOOKS'),
  }
  if (databaseUrl === '' && config.role !== 'all') faults.push(`CF_ROLE=${config.role} needs DATABASE_URL`)
  if (faults.length > 0) throw new Error(`Configuration: ${faults.join('; ')}`)
  return config
}

const WORKSPACES_PER_ACCOUNT = 10
const ON = ['on', '1', 'true', 'yes']
const OFF = ['off', '0', 'false', 'no']

function settingFault(kind: Kind, text: string): string | undefined {
  if (kind === 'number') return /^\d+$/.test(text) ? undefined : `must be a whole number, not "${text}"`
  if (kind === 'boolean') return [...ON, ...OFF].includes(text) ? undefined : `must be on or off, not "${text}"`
  if (typeof kind === 'object') return kind.includes(text) ? undefined : `must be one of ${kind.join(', ')}, not "${text}"`
  return undefined
}
