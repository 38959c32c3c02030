import type { Config } from './config.ts'
import { openDatabase, type Db, type Engine } from './db/open.ts'
import { openAudit, type Audit } from './infra/audit/audit.ts'
import { openChange, type MakeChange } from './infra/change.ts'
import { openClock, type Clock } from './infra/clock.ts'
import { openDue, type Due } from './infra/due/due.ts'
import { openFaults, type Faults } from './infra/faults.ts'
import { openGeoIp, type GeoIp } from './infra/geo-ip.ts'
import { openMemory, openRedis, type KeyValue } from './infra/kv.ts'
import { openLinks, type Links } from './infra/links/links.ts'
import { openLog, type Logger } from './infra/log.ts'
import { openWorkspaceCache, type CachedByWorkspace } from './infra/cache/workspace-cache.ts'
import { openMail, type InstallationMail } from './infra/mail/mail.ts'
import { openRefusals, type Refusals } from './infra/cache/refusals.ts'
import { openMetrics, type Metrics } from './infra/metrics.ts'
import { openOutbound, type Outbound } from './infra/outbound/outbound.ts'
import { keepPrivate } from './infra/files/private-files.ts'
import { openSecrets, type Secrets } from './infra/secrets/secrets.ts'
import { openSignals, type Signals } from './infra/signals/signals.ts'
import { openTimeSlicer, type TimeSlicer } from './infra/concurrency/time-slicer.ts'
import { openWorkspaceLimiters, type Limiters } from './infra/concurrency/limiters.ts'
import { openUploadSpace, type UploadSpace } from './infra/files/upload-space.ts'

/** What every command gets first: built once, never reached by import. */
export type Context = {
  config: Config
  db: Db
  engine: Engine
  kv: KeyValue
  signals: Signals
  change: MakeChange
  audit: Audit
  limiters: Limiters
  cachedByWorkspace: CachedByWorkspace
  refusals: Refusals
  clock: Clock
  faults: Faults
  timeSlicer: TimeSlicer
  uploadSpace: UploadSpace
  due: Due
  outbound: Outbound
  mail: InstallationMail
  secrets: Secrets
  links: Links
  geoIp: GeoIp
  metrics: Metrics
  log: Logger
  close(): Promise<void>
}

/** `onCrash` is called when the embedded database dies under the running process. */
export async function openContext(config: Config, onCrash: (error: Error) => void): Promise<Context> {
  const log = openLog(config.logLevel)
  keepPrivate(config, log)
  const metrics = openMetrics()
  const database = await openDatabase(config, log, onCrash)
  const signals = await openSignals(database.db, database.engine, config.databaseUrl, log)
  const [clock, faults, timeSlicer] = [openClock(), openFaults(), openTimeSlicer()]
  const outbound = openOutbound({ isPrivateAllowed: config.isPrivateAllowed, metrics })
  const mail = openMail(config.mail)
  metrics.watchPool(database.readPool)
  const secrets = openSecrets(config, log)
  const audit = openAudit({ db: database.db, secrets, clock, log })
  const kv = config.redisUrl ? await openRedis(config.redisUrl, config.redisPrefix, log) : openMemory()
  return {
    config,
    db: database.db,
    engine: database.engine,
    kv,
    signals,
    change: openChange({ db: database.db, connections: database.connections, signals, clock, audit }),
    audit,
    limiters: openWorkspaceLimiters(database.connections),
    refusals: openRefusals({ signals, clock }),
    cachedByWorkspace: openWorkspaceCache({ db: database.db, signals, timeSlicer, clock, log }),
    clock,
    faults,
    due: openDue({
      db: database.db,
      engine: database.engine,
      clock,
      faults,
      log,
      metrics,
      // Its own signal comes to this process too, which does not listen to it: see `startJobs`.
      nudgeOthers:
        config.role === 'web'
          ? (work, workspaceId, requestId) => void signals.announce({ kind: 'due', workspaceId, work, requestId })
          : undefined,
    }),
    timeSlicer,
    uploadSpace: openUploadSpace(config.uploadSpaceBytes),
    outbound,
    mail,
    secrets,
    links: openLinks({ db: database.db, secrets, config, log }),
    geoIp: openGeoIp(config.geoIpFile, log),
    metrics,
    log,
    close: async () => {
      mail.close()
      await outbound.close()
      await signals.close()
      await kv.close()
      await database.close()
      metrics.close()
    },
  }
}
