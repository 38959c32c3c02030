import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useRead } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Section } from '../../../ui/section.tsx'
import type { DerivedKeys } from '../api.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { useProtectionTexts } from './texts.ts'

/** Whether keys that everybody can derive are valid; they are turned off on the page of keys. */
export function DerivedKeysSection() {
  const t = useProtectionTexts()
  const { workspace } = useSession()
  const policy = useRead<DerivedKeys>('/settings/sdk-key-policy')
  return (
    <Section title={t('derived')} text={t('derivedText')}>
      <Loaded read={policy}>
        {({ derivedKeysEnabled }) => (
          <Text size="sm" fw={600}>
            {t(derivedKeysEnabled ? 'derivedOn' : 'derivedOff')}
          </Text>
        )}
      </Loaded>
      <Anchor component={Link} to={`/w/${workspace.id}/settings/keys`} size="sm">
        {t('derivedLink')}
      </Anchor>
    </Section>
  )
}
