import { defineTexts } from '../i18n.ts'
import { Confirm } from '../ui/confirm.tsx'

const useTexts = defineTexts('leave', {
  en: {
    title: 'Sign out without saving?',
    text: "Your changes on this page aren't saved yet. Signing out also clears what this browser keeps of unsaved changes.",
    action: 'Sign out',
  },
  ar: {
    title: 'تسجيل الخروج دون حفظ؟',
    text: 'لم تُحفظ التعديلات في هذه الصفحة بعد. يمحو تسجيل الخروج أيضًا ما يحتفظ به هذا المتصفح من تعديلات غير محفوظة.',
    action: 'تسجيل الخروج',
  },
})

/** Asks a member who signs out while a page holds unsaved work. */
export function LeaveDialog({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) {
  const t = useTexts()
  return (
    <Confirm isOpen onClose={onClose} onConfirm={onLeave} title={t('title')} action={t('action')} isDangerous>
      {t('text')}
    </Confirm>
  )
}
