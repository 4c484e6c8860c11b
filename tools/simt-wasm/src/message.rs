//! A message: a JSON text with binary data.

use serde_json::Value;

/// A request or an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The JSON.
    pub text: Value,
    /// Binary data, which the JSON describes.
    pub bytes: Vec<u8>,
}

impl Message {
    /// A message without binary data.
    pub fn said(text: Value) -> Message {
        Message { text, bytes: Vec::new() }
    }

    /// Decodes a message.
    ///
    /// # Errors
    /// One sentence, if the length is wrong or the text is not JSON.
    pub fn read(from: &[u8]) -> Result<Message, String> {
        let (length, rest) = from.split_first_chunk().ok_or("a message begins with four bytes")?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, bytes) = rest
            .split_at_checked(length)
            .ok_or_else(|| format!("a text of {length} bytes in a message of {}", from.len()))?;
        let text = serde_json::from_slice(text).map_err(|e| format!("the text: {e}"))?;
        Ok(Message { text, bytes: bytes.to_vec() })
    }

    /// Encodes the message.
    pub fn write(&self) -> Vec<u8> {
        let text = self.text.to_string();
        let mut out = (text.len() as u32).to_le_bytes().to_vec();
        out.extend_from_slice(text.as_bytes());
        out.extend_from_slice(&self.bytes);
        out
    }
}
