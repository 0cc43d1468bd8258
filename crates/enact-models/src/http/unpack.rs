//! Bodies that a server has packed although it was not asked to.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use super::error::Error;

/// Packed bytes that are unpacked at once. A thousand times as many may come of them, and those are counted
/// before the next are unpacked.
const PACKED_BYTES: usize = 1024;

/// As much of an unknown packing's name as an error repeats.
const LONGEST_NAME: usize = 32;

/// Unpacks a body chunk by chunk; one that is not packed passes through.
#[derive(Debug)]
pub(super) struct Unpacker(Option<Decoder>);

#[derive(Debug)]
enum Decoder {
    Gzip(MultiGzDecoder<Vec<u8>>),
    Deflate(ZlibDecoder<Vec<u8>>),
}

impl Unpacker {
    /// For a body with these headers. Fails for a packing that is not known, such as Brotli's.
    pub(super) fn of(headers: &HeaderMap) -> Result<Unpacker, Error> {
        let encoding = headers.get(CONTENT_ENCODING).map(|encoding| encoding.as_bytes().to_ascii_lowercase());
        Ok(Unpacker(match encoding.as_deref().map(<[u8]>::trim_ascii) {
            Some(b"gzip" | b"x-gzip") => Some(Decoder::Gzip(MultiGzDecoder::new(Vec::new()))),
            Some(b"deflate") => Some(Decoder::Deflate(ZlibDecoder::new(Vec::new()))),
            None | Some(b"" | b"identity") => None,
            Some(other) => {
                let graphic = other.iter().filter(|byte| byte.is_ascii_graphic()).take(LONGEST_NAME);
                return Err(Error::Compressed { encoding: graphic.map(|byte| char::from(*byte)).collect() });
            }
        }))
    }

    /// Calls `each` with what comes of a chunk.
    pub(super) fn push(
        &mut self,
        chunk: &[u8],
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(decoder) = &mut self.0 else { return each(chunk) };
        for packed in chunk.chunks(PACKED_BYTES) {
            let unpacked = decoder.unpack(packed).map_err(|_| Error::Garbled)?;
            each(unpacked)?;
            unpacked.clear();
        }
        Ok(())
    }
}

impl Decoder {
    fn unpack(&mut self, packed: &[u8]) -> io::Result<&mut Vec<u8>> {
        match self {
            Decoder::Gzip(decoder) => {
                decoder.write_all(packed)?;
                decoder.flush()?;
                Ok(decoder.get_mut())
            }
            Decoder::Deflate(decoder) => {
                decoder.write_all(packed)?;
                decoder.flush()?;
                Ok(decoder.get_mut())
            }
        }
    }
}
