import type { Messages } from '../i18n/messages.js';

const en = {
  unexpected: 'Something went wrong.',
  codes: {
    CONNECTION_FAILED: 'The service cannot be reached. Check your connection and try again.',
    REQUEST_TIMED_OUT: 'The service did not respond in time. Your change may still have been applied.',
    UNEXPECTED_RESPONSE: 'The service responded in an unexpected way. Try again.',
    UNAUTHENTICATED: 'You are signed out. Sign in to continue.',
    TOKEN_EXPIRED: 'Your session has expired. Sign in to continue.',
    TOO_MANY_REQUESTS: 'Too many requests. Wait a moment and try again.',
    INTERNAL_ERROR: 'The service failed unexpectedly. Try again.',
    SERVICE_UNAVAILABLE: 'This part of the service is unavailable right now. Try again.',
    TAG_EXISTS: 'A tag with this name already exists.',
    SLUG_TAKEN: 'This slug is taken. Choose another one.',
    PLAN_LIMIT_EXCEEDED: 'You have reached the limit of your plan.',
  },
};

const id: typeof en = {
  unexpected: 'Terjadi kesalahan.',
  codes: {
    CONNECTION_FAILED: 'Layanan tidak dapat dijangkau. Periksa koneksi Anda lalu coba lagi.',
    REQUEST_TIMED_OUT: 'Layanan tidak menjawab tepat waktu. Perubahan Anda mungkin tetap tersimpan.',
    UNEXPECTED_RESPONSE: 'Layanan menjawab di luar dugaan. Coba lagi.',
    UNAUTHENTICATED: 'Anda sudah keluar. Masuk untuk melanjutkan.',
    TOKEN_EXPIRED: 'Sesi Anda sudah berakhir. Masuk untuk melanjutkan.',
    TOO_MANY_REQUESTS: 'Terlalu banyak permintaan. Tunggu sebentar lalu coba lagi.',
    INTERNAL_ERROR: 'Layanan mengalami kesalahan. Coba lagi.',
    SERVICE_UNAVAILABLE: 'Bagian layanan ini sedang tidak tersedia. Coba lagi.',
    TAG_EXISTS: 'Tag dengan nama ini sudah ada.',
    SLUG_TAKEN: 'Slug ini sudah dipakai. Pilih yang lain.',
    PLAN_LIMIT_EXCEEDED: 'Batas paket Anda sudah tercapai.',
  },
};

export const errorMessages: Messages<typeof en> = { en, id };
