/**
 * Which files may import what. The architecture test reads this list from above and takes the first rule whose
 * `from` fits the file. `*` is one name, `**` is anything; `core/…` stands for `packages/core/src/…`, and so on.
 * Files of one folder, and of one module of the server, may import each other without being named here.
 */
export type Boundary = { from: string; may: readonly string[] }

/** What a file of a module may import, whatever it does. */
const EVERY_MODULE = ['core/**', 'server/context.ts', 'server/errors.ts', 'server/infra/**', 'node:**']

/** Other modules are asked through their `index.ts`. */
const OTHER_MODULES = 'server/modules/*/index.ts'

/** What every page of the dashboard is made with. */
const PAGE_PACKAGES = ['react', 'react-router', 'react-i18next', 'dayjs/**', '@mantine/**', '@tabler/icons-react', '@tanstack/react-query']

export const BOUNDARIES: readonly Boundary[] = [
  { from: 'core/**', may: ['core/**'] },

  // The server below its modules
  { from: 'server/config.ts', may: [] },
  { from: 'server/errors.ts', may: ['core/limits.ts'] },
  {
    from: 'server/db/**',
    may: ['server/config.ts', 'kysely', 'kysely/migration', 'pg', '@electric-sql/*', 'node:**'],
  },
  {
    from: 'server/infra/**',
    may: [
      'core/*',
      'core/audit/entry.ts',
      'core/json/canonical-json.ts',
      'core/access/*',
      'core/targeting/rule-value.ts',
      're2js',
      'server/infra/**',
      'server/config.ts',
      'server/errors.ts',
      'server/db/*',
      'kysely',
      'pg',
      'pino',
      'maxmind',
      'undici',
      'ipaddr.js',
      '@redis/client',
      '@prometheus-io/client',
      'nodemailer',
      'node:**',
    ],
  },
  { from: 'server/context.ts', may: ['server/config.ts', 'server/db/open.ts', 'server/infra/**'] },
  {
    from: 'server/http/**',
    may: [
      'core/**',
      'server/http/**',
      'server/errors.ts',
      'server/context.ts',
      'server/infra/**',
      'fastify',
      '@fastify/swagger',
      '@fastify/type-provider-typebox',
      '@fastify/static',
      '@fastify/proxy-addr',
      'ajv',
      'ajv/dist/2020.js',
      'ajv-formats',
      'typebox',
      'ipaddr.js',
      'node:**',
    ],
  },

  // Files of every module, by their names
  {
    from: 'server/modules/**/queries*.ts',
    may: [
      'core/**',
      'server/db/*',
      'server/errors.ts',
      'server/infra/signals/signals.ts',
      'server/infra/due/queries-due.ts',
      'server/http/callers/caller.ts',
      'server/modules/holdout/index.ts',
      'server/modules/people/index.ts',
      'kysely',
    ],
  },
  { from: 'server/modules/**/routes*.ts', may: [...EVERY_MODULE, 'server/http/**', OTHER_MODULES, 'fastify'] },
  { from: 'server/modules/**/present*.ts', may: ['core/**', 'server/http/schema.ts'] },

  // Modules with an import of their own. The hot path imports no other module.
  { from: 'server/modules/delivery/**', may: [...EVERY_MODULE, 'server/http/**'] },
  { from: 'server/modules/responses/redirects.ts', may: [...EVERY_MODULE, 'server/http/**'] },
  { from: 'server/modules/responses/link-answers.ts', may: ['server/http/link-pages/link-page.ts', 'node:**'] },
  { from: 'server/modules/responses/short-links/*', may: [...EVERY_MODULE, 'server/http/**', 'server/db/open.ts'] },
  {
    from: 'server/modules/channels/**',
    may: [...EVERY_MODULE, 'server/db/open.ts', 'server/http/callers/auth.ts', OTHER_MODULES, 'jose', 'nodemailer'],
  },
  { from: 'server/modules/identity/proof/**', may: [...EVERY_MODULE, 'server/http/callers/caller.ts', OTHER_MODULES, 'jose'] },
  // What is sent is what the reference shows.
  { from: 'server/modules/webhooks/enqueue.ts', may: [...EVERY_MODULE, 'server/http/openapi/webhooks.ts'] },
  { from: 'server/modules/preferences/draw-page.ts', may: [...EVERY_MODULE, 'server/http/link-pages/page-look.ts'] },
  {
    from: 'server/modules/workspaces/accounts/passkeys/verify.ts',
    may: [...EVERY_MODULE, 'server/modules/workspaces/accounts/passkeys/*.ts', '@simplewebauthn/server', '@simplewebauthn/server/helpers'],
  },
  {
    from: 'server/modules/workspaces/keys/*',
    may: [...EVERY_MODULE, 'server/db/open.ts', 'server/http/callers/*', OTHER_MODULES],
  },
  { from: 'server/modules/access/tokens.ts', may: [...EVERY_MODULE, 'server/db/open.ts', 'server/http/callers/*', OTHER_MODULES] },
  { from: 'server/modules/mails/sanitize*.ts', may: ['core/**', 'server/modules/mails/sanitize*.ts', 'parse5'] },
  { from: 'server/modules/calendar/**', may: ['core/**', 'adhan'] },
  {
    from: 'server/modules/media/**',
    may: [
      ...EVERY_MODULE,
      'server/config.ts',
      'server/db/*',
      'server/http/**',
      OTHER_MODULES,
      'kysely',
      'fastify',
      'sharp',
      '@fastify/send',
    ],
  },
  {
    from: 'server/modules/enrichment/file/**',
    may: [...EVERY_MODULE, 'server/http/bodies/receive-file.ts', 'csv-parse', '@fastify/busboy'],
  },
  {
    from: 'server/modules/workspaces/accounts/oidc/**',
    may: [...EVERY_MODULE, 'server/db/open.ts', 'server/http/callers/*', OTHER_MODULES, 'fastify', 'openid-client', 'jose'],
  },
  {
    from: 'server/modules/**',
    may: [
      ...EVERY_MODULE,
      'server/db/open.ts',
      'server/db/locks.ts',
      'server/http/callers/auth.ts',
      'server/http/callers/caller.ts',
      'server/http/callers/recent-session.ts',
      'server/http/answers/etag.ts',
      'server/http/answers/finished-answer.ts',
      OTHER_MODULES,
      'libphonenumber-js/min',
    ],
  },

  // The server above its modules
  { from: 'server/jobs.ts', may: ['server/context.ts', 'server/infra/**', OTHER_MODULES] },
  { from: 'server/ops.ts', may: ['server/context.ts', 'server/http/**', 'server/infra/deadline.ts', 'fastify', 'kysely'] },
  { from: 'server/demo.ts', may: ['server/context.ts', 'server/infra/secrets/crypto.ts', OTHER_MODULES, 'node:**'] },
  { from: 'server/first-account.ts', may: ['server/config.ts', 'server/context.ts', 'server/errors.ts', OTHER_MODULES, 'node:**'] },
  {
    from: 'server/app.ts',
    may: [
      'core/limits.ts',
      'server/*.ts',
      'server/http/**',
      'server/http/openapi/*',
      'server/infra/log.ts',
      'server/modules/*/routes.ts',
      'server/modules/delivery/fast-lane.ts',
      'server/modules/workspaces/keys/credentials.ts',
      OTHER_MODULES,
      'fastify',
      'node:**',
    ],
  },
  { from: 'server/wire.ts', may: ['core/**', 'server/errors.ts', 'server/http/schema.ts', 'server/modules/**'] },
  { from: 'server/main.js', may: ['server/serve.ts', 'node:**'] },
  { from: 'server/serve.ts', may: ['server/*.ts'] },

  // What apps install
  { from: 'sdk/react/**', may: ['sdk/**', 'core/**', 'react'] },
  { from: 'sdk/node/**', may: ['sdk/**', 'core/**', 'node:**'] },
  { from: 'sdk/machine/**', may: ['core/**', 'sdk/machine/*', 'sdk/types.ts', 'sdk/frequency.ts', 'sdk/limits.ts'] },
  { from: 'sdk/**', may: ['core/**', 'sdk/**'] },

  // The command line
  { from: 'cli/types/**', may: ['core/**', 'cli/types/*'] },
  { from: 'cli/**', may: ['core/**', 'cli/**', 'commander', '@clack/prompts', 'yaml', 'node:**'] },

  // The dashboard knows the server only by the types of its answers. Words of mails are written with a library of their own.
  {
    from: 'dashboard/modules/mails/editor/rich/**',
    may: [
      'core/**',
      'dashboard/*',
      'dashboard/ui/**',
      'dashboard/modules/**',
      ...PAGE_PACKAGES,
      'prosemirror-commands',
      'prosemirror-history',
      'prosemirror-keymap',
      'prosemirror-model',
      'prosemirror-schema-list',
      'prosemirror-state',
      'prosemirror-view',
    ],
  },
  { from: 'dashboard/modules/settings/account/qr-code.tsx', may: ['react', 'uqr'] },
  {
    from: 'dashboard/modules/**',
    may: [
      'core/**',
      '@contentflow/server/wire.ts',
      '@contentflow/sdk',
      '@contentflow/sdk/**',
      'dashboard/*',
      'dashboard/files/**',
      'dashboard/ui/**',
      'dashboard/frame/**',
      'dashboard/modules/**',
      ...PAGE_PACKAGES,
      '@dnd-kit/**',
      '@xyflow/react',
      '@xyflow/react/dist/base.css',
      'dayjs',
      'react-dom',
    ],
  },
  {
    from: 'dashboard/**',
    may: [
      'core/**',
      '@contentflow/server/wire.ts',
      'dashboard/**',
      ...PAGE_PACKAGES,
      'react-dom/client',
      'i18next',
      '@fontsource-variable/*',
    ],
  },

  // The demo shop is an app like any other.
  {
    from: 'shop/**',
    may: ['shop/**', '@contentflow/sdk', '@contentflow/sdk/**', '@fontsource-variable/**', 'react', 'react-dom/client'],
  },
]
