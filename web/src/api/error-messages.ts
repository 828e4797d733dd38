import type { ApiErrorCode, ClientErrorCode } from '@tautan/sdk';
import type { Messages } from '../i18n/messages.js';

/** Codes without a text here. The API's own message is shown, because it says which value is invalid and why. */
type ExplainedByApi = 'VALIDATION_ERROR' | 'INVALID_ARGUMENT' | 'INVALID_IMPORT' | 'INVALID_SIGNATURE';

const en = {
  unexpected: 'Something went wrong.',
  invalid: (message: string): string => message,
  codes: {
    CONNECTION_FAILED: 'The service cannot be reached. Check your connection and try again.',
    REQUEST_TIMED_OUT: 'The service did not respond in time. Your change may still have been applied.',
    UNEXPECTED_RESPONSE: 'The service responded in an unexpected way. Try again.',
    UNAUTHENTICATED: 'You are signed out. Sign in to continue.',
    TOKEN_EXPIRED: 'Your session has expired. Sign in to continue.',
    PLAN_LIMIT_EXCEEDED: 'You have reached the limit of your plan.',
    FORBIDDEN: 'You are not allowed to do this.',
    PERSON_ONLY: 'Sign in to do this. API keys are not accepted.',
    NOT_FOUND: 'This does not exist or has been deleted.',
    METHOD_NOT_ALLOWED: 'The service does not support this action.',
    SLUG_TAKEN: 'This slug is taken. Choose another one.',
    DOMAIN_TAKEN: 'This domain has already been added to this workspace, or verified by another one.',
    DOMAIN_IN_USE: 'This domain has links. Delete them first.',
    ALREADY_MEMBER: 'This user is already a member or invited.',
    TAG_EXISTS: 'A tag with this name already exists.',
    ENDPOINT_EXISTS: 'A webhook endpoint with this URL already exists.',
    ENDPOINT_DISABLED: 'This webhook endpoint is disabled or deleted. If it is disabled, resume it first.',
    ALREADY_QUEUED: 'This delivery is already waiting for an attempt.',
    SUBSCRIPTION_STATE: 'This is not possible in the current state of your subscription.',
    IDEMPOTENCY_IN_PROGRESS: 'This change is still in progress. Wait a moment.',
    IDEMPOTENCY_MISMATCH: 'This change was already sent with other values. Reload the page and try again.',
    PAYLOAD_TOO_LARGE: 'This is too large.',
    UNSUPPORTED_MEDIA_TYPE: 'Files of this type are not supported.',
    TOO_MANY_REQUESTS: 'Too many requests. Wait a moment and try again.',
    INTERNAL_ERROR: 'The service failed unexpectedly. Try again.',
    UPSTREAM_UNAVAILABLE: 'An external provider is unavailable. Try again later.',
    SERVICE_UNAVAILABLE: 'This part of the service is unavailable right now. Try again.',
    TIMEOUT: 'The service did not respond in time. Your change may still have been applied.',
  } satisfies Record<Exclude<ApiErrorCode | ClientErrorCode, ExplainedByApi>, string>,
};

const id: typeof en = {
  unexpected: 'Terjadi kesalahan.',
  invalid: (message) => `Isian ini tidak diterima: ${message}`,
  codes: {
    CONNECTION_FAILED: 'Layanan tidak dapat dijangkau. Periksa koneksi Anda lalu coba lagi.',
    REQUEST_TIMED_OUT: 'Layanan tidak menjawab tepat waktu. Perubahan Anda mungkin tetap tersimpan.',
    UNEXPECTED_RESPONSE: 'Layanan menjawab di luar dugaan. Coba lagi.',
    UNAUTHENTICATED: 'Anda sudah keluar. Masuk untuk melanjutkan.',
    TOKEN_EXPIRED: 'Sesi Anda sudah berakhir. Masuk untuk melanjutkan.',
    PLAN_LIMIT_EXCEEDED: 'Batas paket Anda sudah tercapai.',
    FORBIDDEN: 'Anda tidak diizinkan melakukan ini.',
    PERSON_ONLY: 'Masuk untuk melakukan ini. Kunci API tidak diterima.',
    NOT_FOUND: 'Ini tidak ada atau sudah dihapus.',
    METHOD_NOT_ALLOWED: 'Layanan tidak mendukung tindakan ini.',
    SLUG_TAKEN: 'Slug ini sudah dipakai. Pilih yang lain.',
    DOMAIN_TAKEN: 'Domain ini sudah ditambahkan di sini, atau sudah diverifikasi oleh ruang kerja lain.',
    DOMAIN_IN_USE: 'Domain ini masih memiliki tautan. Hapus tautannya dahulu.',
    ALREADY_MEMBER: 'Pengguna ini sudah menjadi anggota atau sudah diundang.',
    TAG_EXISTS: 'Tag dengan nama ini sudah ada.',
    ENDPOINT_EXISTS: 'Endpoint webhook dengan URL ini sudah ada.',
    ENDPOINT_DISABLED: 'Endpoint webhook ini nonaktif atau sudah dihapus. Jika nonaktif, aktifkan lagi dahulu.',
    ALREADY_QUEUED: 'Pengiriman ini sudah menunggu percobaan.',
    SUBSCRIPTION_STATE: 'Ini tidak dapat dilakukan pada keadaan langganan Anda saat ini.',
    IDEMPOTENCY_IN_PROGRESS: 'Perubahan ini masih diproses. Tunggu sebentar.',
    IDEMPOTENCY_MISMATCH: 'Perubahan ini sudah dikirim dengan nilai lain. Muat ulang halaman lalu coba lagi.',
    PAYLOAD_TOO_LARGE: 'Ini terlalu besar.',
    UNSUPPORTED_MEDIA_TYPE: 'Jenis berkas ini tidak didukung.',
    TOO_MANY_REQUESTS: 'Terlalu banyak permintaan. Tunggu sebentar lalu coba lagi.',
    INTERNAL_ERROR: 'Layanan mengalami kesalahan. Coba lagi.',
    UPSTREAM_UNAVAILABLE: 'Penyedia eksternal tidak tersedia. Coba lagi nanti.',
    SERVICE_UNAVAILABLE: 'Bagian layanan ini sedang tidak tersedia. Coba lagi.',
    TIMEOUT: 'Layanan tidak menjawab tepat waktu. Perubahan Anda mungkin tetap tersimpan.',
  },
};

export const errorMessages: Messages<typeof en> = { en, id };
