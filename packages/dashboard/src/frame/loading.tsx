import { Center, Loader } from '@mantine/core'
import { useTexts } from './texts.ts'

/** Before anything is known of a page. */
export function Loading() {
  const t = useTexts()
  return (
    <Center mih="60vh">
      <Loader aria-label={t('loading')} role="status" />
    </Center>
  )
}
