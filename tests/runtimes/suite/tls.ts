/** A certificate of `localhost` that signed itself, and its key. For tests alone. */

const pem = (kind: string, base64: string): string =>
  `-----BEGIN ${kind}-----\n${base64.match(/.{1,64}/g)!.join("\n")}\n-----END ${kind}-----\n`;

/** Until the year 2126. */
export const cert: string = pem(
  "CERTIFICATE",
  "MIIBmDCCAT6gAwIBAgIUfaoC62HxE4jizOaroZFh5wfIZukwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDEzMDc1" +
    "OVoYDzIxMjYxMTA2MTMwNzU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQpi0ma/CkJM5OMJ26vDgHi" +
    "lCR7JbaMMhJ3bEP0UkXuI1ys2rxMzEd8ZtMzn5qqcEOb3DWvZq7VuscJZuV0ougYo2wwajAdBgNVHQ4EFgQUvlGGaJHrkmCz4abprrOFJbvVKDEw" +
    "HwYDVR0jBBgwFoAUvlGGaJHrkmCz4abprrOFJbvVKDEwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0E" +
    "AwIDSAAwRQIgG6hJ9LaqRkPyEb+rU+9h9336p+MCKHTiJqGYUhA/N90CIQD8D/knlUMCQl2zmcLMDfm5EgnhOClUGEdcqg63Moqqog==",
);

/** Of the certificate. */
export const key: string = pem(
  "PRIVATE KEY",
  "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIoOYwOWtm//ZNNgSnaDLWDv3De4hMQugobOooJbHx+mhRANCAAQpi0ma/CkJM5OM" +
    "J26vDgHilCR7JbaMMhJ3bEP0UkXuI1ys2rxMzEd8ZtMzn5qqcEOb3DWvZq7VuscJZuV0ougY",
);
