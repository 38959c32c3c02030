import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import type { DerivedKeys, Environment, Key, KeyKind } from '../api.ts'
import { useKeysTexts } from './texts-keys.ts'

const POLICY_PATH = '/settings/sdk-key-policy'

type EndingDerivedKeys = {
  /** This is the first key for live apps, and derived keys still open the workspace. */
  isProposed: boolean
  isChosen: boolean
  choose: (isChosen: boolean) => void
  /** Turns them off if that is wanted; for when the key is there. */
  end: () => void
}

/** Once live apps can have a key of their own, keys that everybody can derive are no longer needed. */
export function useEndDerivedKeys({ kind, environment }: { kind: KeyKind; environment: Environment }): EndingDerivedKeys {
  const t = useKeysTexts()
  const { mayAdmin } = useSession()
  const [isChosen, choose] = useState(true)
  const policy = useRead<DerivedKeys>(POLICY_PATH, {}, { when: mayAdmin })
  const keys = usePages<Key>('/settings/sdk-keys', 'keys', { limit: 50 })
  const change = useWrite<void>(() => ({ method: 'PUT', path: POLICY_PATH, body: { derivedKeysEnabled: false } }), {
    stale: [POLICY_PATH],
    done: t('derivedEnded'),
  })
  const isForLiveApps = (key: Pick<Key, 'kind' | 'environment'>) => key.kind === 'publishable' && key.environment === 'live'
  const isFirst = isForLiveApps({ kind, environment }) && !keys.isLoading && !keys.items.some(isForLiveApps)
  const isProposed = mayAdmin && policy.data?.derivedKeysEnabled === true && isFirst
  return { isProposed, isChosen, choose, end: () => isProposed && isChosen && change.mutate() }
}

export function EndDerivedKeys({ ending: { isProposed, isChosen, choose } }: { ending: EndingDerivedKeys }) {
  const t = useKeysTexts()
  if (!isProposed) return null
  return (
    <Checkbox
      label={t('endDerived')}
      description={t('endDerivedText')}
      checked={isChosen}
      onChange={({ currentTarget }) => choose(currentTarget.checked)}
    />
  )
}
