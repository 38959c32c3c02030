/**
 * The one form in which emails are compared and looked up, stored beside the email as it was sent. Made here and
 * nowhere else: lower() of PostgreSQL depends on the database's locale and differs for letters such as `İ`.
 */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase().normalize('NFC')
}
