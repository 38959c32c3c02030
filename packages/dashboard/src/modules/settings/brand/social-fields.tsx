import { ActionIcon, Button, Group, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { SOCIAL_NAMES, SOCIAL_NETWORKS, type SocialLink } from '@contentflow/core/mail/brand/brand.ts'
import { Section } from '../../../ui/section.tsx'
import { isAddress } from '../../mails/editor/rich/schema.ts'
import type { BrandFieldsProps } from './colour-fields.tsx'
import { useBrandTexts } from './texts-brand.ts'

/** Social pages, each network once, and where links with tokens may lead. */
export function SocialFields({ brand: { social, linkHosts }, onChange }: BrandFieldsProps) {
  const t = useBrandTexts()
  const free = SOCIAL_NETWORKS.filter((network) => !social.some((each) => each.network === network))
  const nameOf = (network: SocialLink['network']) => SOCIAL_NAMES[network] ?? t('website')
  const set = (index: number, part: Partial<SocialLink>) =>
    onChange({ social: social.map((each, at) => (at === index ? { ...each, ...part } : each)) })
  const [next] = free
  return (
    <Section title={t('social')} text={t('socialText')}>
      <Stack gap="sm">
        {social.map(({ network, url }, index) => (
          <Group key={network} gap="xs" align="flex-start">
            <Select
              aria-label={t('network')}
              w={140}
              data={[network, ...free].map((value) => ({ value, label: nameOf(value) }))}
              value={network}
              onChange={(value) => set(index, { network: SOCIAL_NETWORKS.find((each) => each === value) ?? network })}
              allowDeselect={false}
            />
            <TextInput
              aria-label={t('addressOf', { network: nameOf(network) })}
              value={url}
              onChange={({ currentTarget }) => set(index, { url: currentTarget.value.trim() })}
              error={url !== '' && !(url.startsWith('https://') && isAddress(url)) && t('wrongAddress')}
              placeholder="https://"
              dir="ltr"
              // Below the name of the network where both do not fit.
              flex="1 1 200px"
              miw={0}
              autoComplete="off"
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('remove', { network: nameOf(network) })}
              onClick={() => onChange({ social: social.filter((_, at) => at !== index) })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {next !== undefined && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange({ social: [...social, { network: next, url: '' }] })}
            >
              {t('addSocial')}
            </Button>
          </Group>
        )}
        <TagsInput
          label={t('linkHosts')}
          description={t('linkHostsHelp')}
          value={linkHosts}
          onChange={(hosts) => onChange({ linkHosts: hosts.map((host) => host.trim().toLowerCase()) })}
          maxTags={LIMITS.brandLinkHosts}
          inputWrapperOrder={['label', 'input', 'description']}
          dir="ltr"
          styles={{ label: { direction: 'inherit' } }}
        />
      </Stack>
    </Section>
  )
}
