import { useSettings } from '../design-settings.ts'
import { Icon } from './icon.tsx'
import { wordOf } from '../reading/words.ts'

export function CloseButton({ onClose }: { onClose: () => void }) {
  const { locale, words } = useSettings()
  return (
    <button type="button" className="cf-close" aria-label={wordOf('close', locale, words)} onClick={onClose}>
      <Icon name="close" />
    </button>
  )
}
