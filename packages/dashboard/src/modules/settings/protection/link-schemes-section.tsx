import { COMMON_SCHEMES, schemeNameFault } from '@contentflow/core/blocks/links/link-schemes.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { LinkSchemeList } from '@contentflow/server/wire.ts'
import { TagsInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Section } from '../../../ui/section.tsx'
import { LimitForm } from '../limit-form.tsx'
import { OnlyFor } from '../notes.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { LINK_SCHEMES_PATH } from './paths.ts'
import { useLinkSchemeTexts } from './texts-link-schemes.ts'

type Schemes = LinkSchemeList['schemes']

/** Which apps links may lead into. */
export function LinkSchemesSection() {
  const t = useLinkSchemeTexts()
  const { mayAdmin } = useSession()
  const stored = useRead<LinkSchemeList>(LINK_SCHEMES_PATH)
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={stored} height={120}>
        {({ schemes }) => (mayAdmin ? <SchemesForm key={String(schemes)} stored={schemes} /> : <Told schemes={schemes} />)}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function Told({ schemes }: { schemes: Schemes }) {
  const t = useLinkSchemeTexts()
  if (schemes === null || schemes.length === 0)
    return (
      <Text size="sm" fw={600}>
        {t(schemes === null ? 'all' : 'none')}
      </Text>
    )
  return (
    <Text size="sm" fw={600}>
      {t('some')} <bdi dir="ltr">{schemes.join(', ')}</bdi>
    </Text>
  )
}

function SchemesForm({ stored }: { stored: Schemes }) {
  const t = useLinkSchemeTexts()
  const [isLimited, setLimited] = useState(stored !== null)
  const [names, setNames] = useState<string[]>(stored ?? [])
  const faulty = names.find((name) => schemeNameFault(name) !== undefined)
  const fault = faulty === undefined ? undefined : schemeNameFault(faulty)
  return (
    <LimitForm
      path={LINK_SCHEMES_PATH}
      bodyOf={(schemes) => ({ schemes })}
      stored={stored}
      entered={fault === undefined ? names.toSorted() : undefined}
      isLimited={isLimited}
      onLimited={setLimited}
      words={{ limit: t('limit'), limitText: t('limitText'), save: t('save'), saved: t('saved') }}
    >
      <TagsInput
        label={t('names')}
        description={t('namesText', { always: COMMON_SCHEMES.join(', ') })}
        placeholder={names.length === 0 ? 'myshop' : undefined}
        value={names}
        // People paste the beginning of a link.
        onChange={(entered) => setNames([...new Set(entered.map(nameIn))])}
        maxTags={LIMITS.linkSchemes}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        clearButtonProps={{ 'aria-label': t('clear') }}
        error={fault && t(`fault_${fault}`, { name: faulty ?? '' })}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        w="100%"
        maw={480}
        dir="ltr"
      />
    </LimitForm>
  )
}

/** `MyShop://offers` names `myshop`. */
function nameIn(entered: string): string {
  return entered.trim().toLowerCase().replace(/:.*$/s, '')
}
