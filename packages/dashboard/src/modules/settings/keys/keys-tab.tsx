import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { usePages } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Listing } from '../../../ui/listing.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Key, KeyKind, ShownKey } from '../api.ts'
import { KeyDialogs, type KeyAction } from './key-dialogs.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeyPolicy } from './key-policy.tsx'
import { KINDS } from './key-use.ts'
import { NewKeyDialog } from './new-key.tsx'
import { Proposals } from '../protection/proposals.tsx'
import { useUndecided } from '../protection/use-undecided.ts'
import { ForApps, OnlyFor } from '../notes.tsx'
import { ShowKey } from './show-key.tsx'
import { useKeysTexts } from './texts-keys.ts'

export function KeysTab() {
  const { mayEdit } = useSession()
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<ShownKey>()
  const [isMade, setMade] = useState(false)
  const { isUndecided, decide } = useUndecided()
  const [action, setAction] = useState<KeyAction>()
  // In the address, so that the start page can link here.
  const making = mayEdit ? (KINDS.find((kind) => kind === params.get('new')) ?? undefined) : undefined
  const make = (kind?: KeyKind) => setParams(kind ? { new: kind } : {}, { replace: true })
  const lists = { onNew: make, onAction: setAction }
  return (
    <>
      {isMade && isUndecided && <Proposals decide={decide} />}
      <KeyList path="/settings/sdk-keys" id="app" first="publishable" {...lists} />
      {/* Only members who may issue keys may see them (M-KEY-01). */}
      {mayEdit && <KeyList path="/settings/write-keys" id="write" first="write" {...lists} />}
      {mayEdit && <KeyList path="/settings/read-keys" id="read" first="read" {...lists} />}
      <KeyPolicy onNewKey={() => make('publishable')} />
      {making && !shown && (
        <NewKeyDialog
          first={making}
          onClose={() => make()}
          onMade={(key) => {
            setShown(key)
            setMade(true)
            make()
          }}
        />
      )}
      {shown && <ShowKey shown={shown} onClose={() => setShown(undefined)} />}
      <KeyDialogs action={action} onClose={() => setAction(undefined)} onRotated={setShown} />
    </>
  )
}

type KeyListProps = {
  path: string
  id: 'app' | 'write' | 'read'
  first: KeyKind
  onNew: (kind: KeyKind) => void
  onAction: (action: KeyAction) => void
}

function KeyList({ path, id, first, onNew, onAction }: KeyListProps) {
  const t = useKeysTexts()
  const { mayEdit } = useSession()
  const keys = usePages<Key>(path, 'keys', { limit: 50 })
  const button = (
    <Button variant={id === 'app' ? 'filled' : 'default'} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onNew(first)}>
      {t(`new_${id}`)}
    </Button>
  )
  return (
    <Section title={t(`keys_${id}`)} text={t(`keys_${id}_text`)} aside={mayEdit && button}>
      <ForApps text={t(`keys_${id}_effect`)} />
      <Listing
        label={t(`keys_${id}`)}
        pages={keys}
        idOf={(key) => key.id}
        columns={keyColumns(t, { hasKinds: id === 'app', mayEdit, onAction })}
        empty={<EmptyState icon={IconKey} title={t('none')} text={t(`none_${id}`)} />}
      />
      {!mayEdit && <OnlyFor who="editors" />}
    </Section>
  )
}
