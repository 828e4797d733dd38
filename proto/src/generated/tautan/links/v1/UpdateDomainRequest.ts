// Original file: domains.proto


export interface UpdateDomainRequest {
  'id'?: (string);
  'brandName'?: (string);
  'brandLogoUrl'?: (string);
  'brandColor'?: (string);
  'rootUrl'?: (string);
  'notFoundUrl'?: (string);
  'expiredUrl'?: (string);
  'clear'?: (string)[];
  '_brandName'?: "brandName";
  '_brandLogoUrl'?: "brandLogoUrl";
  '_brandColor'?: "brandColor";
  '_rootUrl'?: "rootUrl";
  '_notFoundUrl'?: "notFoundUrl";
  '_expiredUrl'?: "expiredUrl";
}

export interface UpdateDomainRequest__Output {
  'id': (string);
  'brandName'?: (string);
  'brandLogoUrl'?: (string);
  'brandColor'?: (string);
  'rootUrl'?: (string);
  'notFoundUrl'?: (string);
  'expiredUrl'?: (string);
  'clear': (string)[];
  '_brandName'?: "brandName";
  '_brandLogoUrl'?: "brandLogoUrl";
  '_brandColor'?: "brandColor";
  '_rootUrl'?: "rootUrl";
  '_notFoundUrl'?: "notFoundUrl";
  '_expiredUrl'?: "expiredUrl";
}
