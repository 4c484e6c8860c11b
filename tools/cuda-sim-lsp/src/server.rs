//! The messages of the protocol.
//!
//! A text is checked a moment after its last change: a word that is half written is no error yet, and
//! typing never waits for a check.

use crate::check::{Said, check};
use crate::place;
use anyhow::{Context, Result, bail};
use kernel_file::completion;
use kernel_file::documentation::{self, Documented};
use lsp_server::{Connection, ErrorCode, ExtractError, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{Completion, HoverRequest, Request as _};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionOptions, CompletionParams, CompletionTextEdit,
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, Documentation, Hover, HoverContents,
    HoverParams, HoverProviderCapability, Location, MarkupContent, MarkupKind, NumberOrString,
    PublishDiagnosticsParams, Range, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextEdit, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::json;
use simt::Severity;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long a text rests before it is checked.
const REST: Duration = Duration::from_millis(150);

/// What begins a word of a directive.
const TRIGGERS: [&str; 10] = ["@", " ", ":", "=", "(", ",", "[", "~", "*", "+"];

/// A text in the editor.
struct Document {
    uri: Uri,
    version: i32,
    text: String,
    /// When it is checked next.
    due: Option<Instant>,
}

struct Server {
    connection: Connection,
    include: Vec<PathBuf>,
    documents: HashMap<String, Document>,
}

/// Answers a client until it says that it ends.
///
/// # Errors
/// If the client ends without a word.
pub(crate) fn serve(connection: Connection, include: Vec<PathBuf>) -> Result<()> {
    let (id, _) = connection.initialize_start()?;
    let capabilities = ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        ..ServerCapabilities::default()
    };
    let about = json!({ "name": "cuda-sim-lsp", "version": env!("CARGO_PKG_VERSION") });
    connection
        .initialize_finish(id, json!({ "capabilities": capabilities, "serverInfo": about }))?;
    Server { connection, include, documents: HashMap::new() }.run()
}

impl Server {
    fn run(&mut self) -> Result<()> {
        loop {
            let due = self.documents.values().filter_map(|document| document.due).min();
            let wait = due.map(|due| due.saturating_duration_since(Instant::now()));
            let received = match wait {
                None => self.connection.receiver.recv().map_err(|_| false),
                Some(wait) => {
                    self.connection.receiver.recv_timeout(wait).map_err(|error| error.is_timeout())
                }
            };
            match received {
                Ok(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Ok(Message::Notification(said)) if said.method == "exit" => {
                    bail!("the client ends without `shutdown`")
                }
                // One that is misshapen has no answer; the next one may be right.
                Ok(Message::Notification(said)) => drop(self.hear(said)),
                Ok(Message::Response(_)) => {}
                Err(true) => self.check_what_is_due()?,
                Err(false) => bail!("the client is gone"),
            }
        }
    }

    fn hear(&mut self, said: Notification) -> Result<()> {
        let now = Some(Instant::now());
        match said.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let DidOpenTextDocumentParams { text_document: opened } =
                    serde_json::from_value(said.params)?;
                let (uri, version, text) = (opened.uri, opened.version, opened.text);
                let key = uri.to_string();
                self.documents.insert(key, Document { uri, version, text, due: now });
            }
            DidChangeTextDocument::METHOD => {
                let DidChangeTextDocumentParams { text_document, content_changes } =
                    serde_json::from_value(said.params)?;
                let document = self.documents.get_mut(&text_document.uri.to_string());
                let document = document.context("a text that is not open")?;
                let change = content_changes.into_iter().last().context("no change")?;
                document.version = text_document.version;
                document.text = change.text;
                document.due = now.map(|now| now + REST);
            }
            DidCloseTextDocument::METHOD => {
                let DidCloseTextDocumentParams { text_document } =
                    serde_json::from_value(said.params)?;
                self.documents.remove(&text_document.uri.to_string());
                self.publish(text_document.uri, None, Vec::new())?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_what_is_due(&mut self) -> Result<()> {
        let now = Instant::now();
        let is_due = |document: &&mut Document| document.due.is_some_and(|due| due <= now);
        let mut found = Vec::new();
        for document in self.documents.values_mut().filter(is_due) {
            document.due = None;
            let diagnostics = diagnostics(document, &self.include);
            found.push((document.uri.clone(), document.version, diagnostics));
        }
        for (uri, version, diagnostics) in found {
            self.publish(uri, Some(version), diagnostics)?;
        }
        Ok(())
    }

    fn publish(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) -> Result<()> {
        let said = PublishDiagnosticsParams { uri, diagnostics, version };
        let said = Notification::new(PublishDiagnostics::METHOD.to_owned(), said);
        Ok(self.connection.sender.send(Message::Notification(said))?)
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id.clone();
        let answered = match request.method.as_str() {
            Completion::METHOD => parameters(request).map(|asked| json!(self.completion(&asked))),
            HoverRequest::METHOD => parameters(request).map(|asked| json!(self.hover(&asked))),
            method => Err((ErrorCode::MethodNotFound, format!("no method is called `{method}`"))),
        };
        match answered {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn completion(&self, asked: &CompletionParams) -> Vec<CompletionItem> {
        let place = &asked.text_document_position;
        let Some(document) = self.documents.get(&place.text_document.uri.to_string()) else {
            return Vec::new();
        };
        let (text, position) = (&document.text, place.position);
        let column = place::column(text, position);
        let Some(offered) = completion::at(text, position.line + 1, column) else {
            return Vec::new();
        };
        let start = place::position(text, position.line, offered.column);
        let range = Range { start, end: position };
        let ended = place::line(text, position.line).chars().nth(offered.column as usize - 2);
        // `//@` and the word are apart.
        let blank = if ended == Some('@') || ended == Some('~') { " " } else { "" };
        let items = offered.words.into_iter().map(|word| {
            let about = offered.directive.or_else(|| documentation::of(&word));
            let kind = match offered.directive {
                None => CompletionItemKind::KEYWORD,
                Some(_) => CompletionItemKind::VALUE,
            };
            let new_text = format!("{blank}{word}");
            CompletionItem {
                kind: Some(kind),
                detail: about.map(|about| format!("//@ {}", about.example)),
                documentation: about.map(|about| Documentation::MarkupContent(markup(about))),
                text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text })),
                filter_text: Some(format!("{blank}{word}")),
                label: word,
                ..CompletionItem::default()
            }
        });
        items.collect()
    }

    fn hover(&self, asked: &HoverParams) -> Option<Hover> {
        let place = &asked.text_document_position_params;
        let document = self.documents.get(&place.text_document.uri.to_string())?;
        let line = place::line(&document.text, place.position.line);
        let rest = line.trim_start().strip_prefix("//@")?;
        let word = rest.trim_start();
        let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
        let about = documentation::of(&word[..end])?;
        let range = place::of_word(&document.text, place.position.line + 1, 0);
        (place.position >= range.start && place.position <= range.end)
            .then(|| Hover { contents: HoverContents::Markup(markup(about)), range: Some(range) })
    }
}

/// The parameters of a request.
fn parameters<P: DeserializeOwned>(request: Request) -> Result<P, (ErrorCode, String)> {
    let method = request.method.clone();
    request.extract::<P>(&method).map(|(_, asked)| asked).map_err(|error| match error {
        ExtractError::JsonError { error, .. } => (ErrorCode::InvalidParams, error.to_string()),
        ExtractError::MethodMismatch(_) => (ErrorCode::InternalError, method.clone()),
    })
}

fn markup(about: &Documented) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: about.markdown() }
}

/// What is said of a text.
fn diagnostics(document: &Document, include: &[PathBuf]) -> Vec<Diagnostic> {
    let path = place::path(&document.uri).unwrap_or_default();
    let name = match path.as_os_str().is_empty() {
        true => document.uri.to_string(),
        false => path.to_string_lossy().replace('\\', "/"),
    };
    let said = check(&name, &path, &document.text, include);
    said.iter().map(|said| diagnostic(document, &name, said)).collect()
}

fn diagnostic(document: &Document, name: &str, (severity, problem): &Said) -> Diagnostic {
    let text = &document.text;
    let mut message = problem.message.clone();
    let range = if problem.file == name {
        place::of_word(text, problem.line, problem.column)
    } else {
        // In a header; the editor shows it where this text includes it.
        message = format!("{}:{}:{}: {message}", problem.file, problem.line, problem.column);
        let header = problem.file.rsplit('/').next().unwrap_or_default();
        let includes = |line: &str| line.trim_start().starts_with('#') && line.contains(header);
        let at = text.lines().position(includes).unwrap_or_default();
        place::of_word(text, at as u32 + 1, 0)
    };
    for help in
        problem.rendered.lines().filter_map(|line| line.trim_start().strip_prefix("= help: "))
    {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = problem.other.as_ref().map(|other| DiagnosticRelatedInformation {
        location: Location {
            uri: document.uri.clone(),
            range: place::of_word(text, other.line, 0),
        },
        message: other.message.clone(),
    });
    Diagnostic {
        range,
        severity: Some(match severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(problem.code.clone())),
        source: Some("cuda-sim".to_owned()),
        message,
        related_information: related.map(|related| vec![related]),
        ..Diagnostic::default()
    }
}
