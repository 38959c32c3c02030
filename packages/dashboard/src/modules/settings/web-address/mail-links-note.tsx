import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useWebAddressTexts } from './texts.ts'
import { useWebAddress } from './use-web-address.ts'

/** Shown while the operator has not configured the server's address. */
export function MailLinksNote() {
  const t = useWebAddressTexts()
  const links = useWebAddress().data?.mailLinks
  if (!links || links.isConfigured) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} title={t('linksTitle')}>
      {links.address === null ? t('linksNowhere') : t('linksTo', { address: links.address })}
    </Alert>
  )
}
