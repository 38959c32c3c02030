import type { Snapshot } from '@contentflow/sdk'
import { useSnapshot } from '@contentflow/sdk/react'
import { useEffect, useState } from 'react'
import { useText, type Text } from './use-text.ts'

/** What the SDK knows of this device: the part of the demo that a developer looks at. */
export function DeviceFacts() {
  const snapshot = useSnapshot()
  const text = useText()
  const changedAt = useChangedAt(snapshot.blocks)
  const { own, locale } = text
  const segments = [...new Set(snapshot.blocks.flatMap(({ segment }) => segment ?? []))]
  const facts: [string, string][] = [
    [own('device'), snapshot.deviceId ?? '…'],
    [own('user'), snapshot.userId ?? own('nobody')],
    [own('consent'), own(`consent.${snapshot.consent}`)],
    [own('locale'), `${snapshot.strings?.locale ?? snapshot.locale ?? '…'} (${snapshot.direction})`],
    [own('updates'), updatesText(snapshot, text)],
    [own('changed'), changedAt ? new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(changedAt) : '…'],
    [own('blocks'), blocksText(snapshot.blocks.length, segments, text)],
  ]
  return (
    <footer className="facts">
      <h2>{own('facts')}</h2>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </footer>
  )
}

function updatesText({ status, config }: Snapshot, { own }: Text): string {
  if (status === 'offline') return own('updates.offline')
  if (!config || status !== 'ready') return own('updates.loading')
  if (config.features['live_updates'] !== false) return own('updates.live')
  return own('updates.poll', { seconds: String(config.pollIntervalSeconds) })
}

function blocksText(count: number, segments: readonly string[], { own }: Text): string {
  return segments.length === 0 ? String(count) : `${count}, ${own('forYou', { names: segments.join(', ') })}`
}

/** When other blocks than before were delivered. */
function useChangedAt(blocks: Snapshot['blocks']): Date | undefined {
  const [changed, setChanged] = useState<{ blocks: Snapshot['blocks']; at: Date | undefined }>({ blocks, at: undefined })
  useEffect(() => {
    setChanged((known) => (known.blocks === blocks ? known : { blocks, at: new Date() }))
  }, [blocks])
  return changed.at
}
