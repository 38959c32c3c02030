import { Alert, Anchor, List } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { SendingFault } from '@contentflow/core/messages/unsendable.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { BRANDS } from '../../settings/channels/providers.ts'
import { useWebAddress } from '../../settings/web-address/use-web-address.ts'
import { useChannelName } from '../words.ts'
import { useSendingTexts } from './texts.ts'

/** Parts of the message that would not arrive, or incomplete, whoever gets it. */
export function SendingNotes({ faults }: { faults: readonly SendingFault[] }) {
  const t = useSendingTexts()
  const words = useSendingWords()
  const { workspace } = useSession()
  if (faults.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('title')}>
      <List size="sm" spacing={4} listStyleType="none">
        {faults.map((fault) => (
          <List.Item key={JSON.stringify(fault)}>{words(fault)}</List.Item>
        ))}
      </List>
      {faults.some(({ code }) => code === 'relative_link') && (
        <Anchor component={Link} to={`/w/${workspace.id}/settings/workspace`} size="sm" c="inherit" underline="always">
          {t('setAddress')}
        </Anchor>
      )}
    </Alert>
  )
}

function useSendingWords(): (fault: SendingFault) => string {
  const t = useSendingTexts()
  const format = useFormat()
  const channelName = useChannelName()
  const address = useWebAddress().data?.mailLinks.address ?? null
  return (fault) => {
    if (fault.code === 'public_url_missing') return address === null ? t('public_url_none') : t('public_url', { address })
    const language = format.language(fault.locale)
    if (fault.code === 'relative_link')
      return t(fault.member === 'imageUrl' ? 'relative_image' : 'relative_link', { channel: channelName(fault.channel), language })
    const { provider, bytes, most } = fault
    return t('push_too_large', {
      provider: BRANDS[provider] ?? provider,
      language,
      bytes: format.number(bytes),
      most: format.number(most),
    })
  }
}
