//! What templates can do: fill in, choose, repeat. Nothing in them makes much out of little.
//!
//! A template comes with a project, or with an imported log. The template language at large can make gigabytes
//! of a few letters, and its own bounds count steps, not bytes. So what puts texts together again and again
//! is no part of the language here, nor are tags so long, or so many, that reading them would take a deep
//! stack. What is left makes nothing larger than what it was given, except for filters, and those have an
//! allowance.

use minijinja::{
    machinery::{
        Span, Token,
        ast::{BinOpKind, Call, CallArg, Expr, Stmt},
        parse, tokenize,
    },
    syntax::SyntaxConfig,
    value::ValueKind,
};

use super::filters::FILTERS;
use crate::did_you_mean;

/// Far more than one tag needs. The parser's stack grows with it.
const MOST_WORDS_IN_A_TAG: usize = 400;

/// A page or two of instructions has a few dozen; each `elif` is inside the one before it.
const MOST_BLOCK_TAGS: usize = 200;

/// Each of them copies a part of a text, and all the copies may be kept.
const MOST_SLICES: usize = 32;

/// The one function that there is, and what stands for the loop that one is in.
const FUNCTION: &str = "range";
const LOOP: &str = "loop";

/// Why a template is not filled in, and where in it that is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedTag {
    pub(super) at: usize,
    pub(super) why: String,
    pub(super) hint: String,
}

/// Whether a template keeps to what templates can do. One that cannot be read is not refused here: the
/// engine that fills it in says better what is wrong.
pub(super) fn keeps_to_it(source: &str) -> Result<(), RefusedTag> {
    is_small(source)?;
    let Ok(Stmt::Template(template)) = parse(source, "", SyntaxConfig::default()) else { return Ok(()) };
    TemplateReader::default().all(&template.children)
}

/// Counts, before anything is read that is nested.
fn is_small(source: &str) -> Result<(), RefusedTag> {
    let (mut blocks, mut words, mut begins) = (0, 0, 0);
    for token in tokenize(source, false, SyntaxConfig::default()) {
        let Ok((token, span)) = token else { return Ok(()) };
        match token {
            Token::VariableStart | Token::BlockStart => {
                blocks += usize::from(matches!(token, Token::BlockStart));
                (words, begins) = (0, span.start_offset as usize);
            }
            _ => words += 1,
        }
        let refused = |why: String, hint: &str| RefusedTag { at: begins, why, hint: hint.to_owned() };
        if words > MOST_WORDS_IN_A_TAG {
            return Err(refused(
                format!("this tag has more than {MOST_WORDS_IN_A_TAG} words"),
                "make several of it",
            ));
        }
        if blocks > MOST_BLOCK_TAGS {
            return Err(refused(
                format!("this template has more than {MOST_BLOCK_TAGS} tags"),
                "a template is a page of text with a few tags in it",
            ));
        }
    }
    Ok(())
}

/// Looks at everything that stands in a template, whether it would be reached or not.
#[derive(Default)]
struct TemplateReader {
    slices: usize,
}

impl TemplateReader {
    fn all(&mut self, statements: &[Stmt]) -> Result<(), RefusedTag> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Stmt) -> Result<(), RefusedTag> {
        match statement {
            Stmt::Template(template) => self.all(&template.children),
            Stmt::EmitRaw(_) => Ok(()),
            Stmt::EmitExpr(tag) => self.expression(&tag.expr),
            Stmt::ForLoop(tag) => {
                if tag.recursive {
                    return Err(refused(
                        tag.span(),
                        "loops are not 'recursive' here",
                        "write one in the other",
                    ));
                }
                self.expression(&tag.iter)?;
                tag.filter_expr.iter().try_for_each(|filter| self.expression(filter))?;
                self.all(&tag.body)?;
                self.all(&tag.else_body)
            }
            Stmt::IfCond(tag) => {
                self.expression(&tag.expr)?;
                self.all(&tag.true_body)?;
                self.all(&tag.false_body)
            }
            Stmt::WithBlock(tag) => {
                tag.assignments.iter().try_for_each(|(_, value)| self.expression(value))?;
                self.all(&tag.body)
            }
            Stmt::Set(tag) => self.expression(&tag.expr),
            Stmt::Do(tag) => self.call(&tag.call, tag.span()),
            Stmt::SetBlock(tag) => Err(refused(
                tag.span(),
                "text is printed here, and not kept",
                "set a variable to a value: {% set name = value %}",
            )),
            Stmt::FilterBlock(tag) => Err(refused(
                tag.span(),
                "there is no 'filter' tag here",
                "filter values: {{ value | upper }}",
            )),
            Stmt::AutoEscape(tag) => Err(refused(
                tag.span(),
                "what was said is always printed as JSON strings: there is no 'autoescape'",
                "leave it out",
            )),
        }
    }

    fn expression(&mut self, expression: &Expr) -> Result<(), RefusedTag> {
        match expression {
            Expr::Var(_) | Expr::Const(_) => Ok(()),
            Expr::UnaryOp(unary) => self.expression(&unary.expr),
            Expr::BinOp(binary) => {
                let sides = [&binary.left, &binary.right];
                let beside = "write what belongs together side by side: {{ one }} {{ other }}";
                match binary.op {
                    BinOpKind::Concat => return Err(refused(binary.span(), "there is no '~' here", beside)),
                    BinOpKind::Mul => {
                        return Err(refused(
                            binary.span(),
                            "there is no '*' here",
                            "write it as often as it is to be there",
                        ));
                    }
                    // What is added to a number is one, or the sum fails.
                    BinOpKind::Add if !sides.iter().any(|side| is_number(side)) => {
                        return Err(refused(
                            binary.span(),
                            "'+' is for numbers, and one of them is written out",
                            beside,
                        ));
                    }
                    _ => {}
                }
                sides.into_iter().try_for_each(|side| self.expression(side))
            }
            Expr::Compare(compare) => {
                self.expression(&compare.expr)?;
                compare.ops.iter().try_for_each(|op| self.expression(&op.expr))
            }
            Expr::IfExpr(choice) => {
                self.expression(&choice.test_expr)?;
                self.expression(&choice.true_expr)?;
                choice.false_expr.iter().try_for_each(|other| self.expression(other))
            }
            Expr::GetAttr(get) => self.expression(&get.expr),
            Expr::GetItem(get) => {
                self.expression(&get.expr)?;
                self.expression(&get.subscript_expr)
            }
            Expr::Slice(slice) => {
                self.slices += 1;
                if self.slices > MOST_SLICES || slice.step.is_some() {
                    let why =
                        format!("slices have no step here, and there are at most {MOST_SLICES} of them");
                    return Err(refused(slice.span(), why, "take what is needed: {{ user_message[:200] }}"));
                }
                self.expression(&slice.expr)?;
                slice.start.iter().chain(&slice.stop).try_for_each(|end| self.expression(end))
            }
            Expr::Test(test) => {
                self.expression(&test.expr)?;
                self.arguments(&test.args)
            }
            Expr::Filter(filter) => {
                if !FILTERS.contains(&filter.name) {
                    let hint = match did_you_mean(filter.name, FILTERS) {
                        Some(known) => format!("did you mean '{known}'?"),
                        None => format!("there are {}", FILTERS.join(", ")),
                    };
                    return Err(refused(
                        filter.span(),
                        format!("there is no filter '{}' here", filter.name),
                        hint,
                    ));
                }
                filter.expr.iter().try_for_each(|of| self.expression(of))?;
                self.arguments(&filter.args)
            }
            Expr::Call(call) => self.call(call, call.span()),
            // A list of two lists of two, and so on, takes a few words to write and for ever to print.
            Expr::List(list) => constants(&list.items, list.span()),
            Expr::Tuple(tuple) => constants(&tuple.items, tuple.span()),
            Expr::Map(map) => {
                constants(&map.keys, map.span())?;
                constants(&map.values, map.span())
            }
        }
    }

    fn call(&mut self, call: &Call, span: Span) -> Result<(), RefusedTag> {
        match &call.expr {
            Expr::Var(name) if name.id == FUNCTION => {}
            Expr::GetAttr(of) if matches!(&of.expr, Expr::Var(name) if name.id == LOOP) => {}
            _ => return Err(refused(span, "there is no such function here", "there is 'range'")),
        }
        self.arguments(&call.args)
    }

    fn arguments(&mut self, arguments: &[CallArg]) -> Result<(), RefusedTag> {
        arguments.iter().try_for_each(|argument| match argument {
            CallArg::Pos(value)
            | CallArg::Kwarg(_, value)
            | CallArg::PosSplat(value)
            | CallArg::KwargSplat(value) => self.expression(value),
        })
    }
}

fn is_number(expression: &Expr) -> bool {
    matches!(expression, Expr::Const(written) if written.value.kind() == ValueKind::Number)
}

fn constants(items: &[Expr], span: Span) -> Result<(), RefusedTag> {
    match items.iter().all(|item| matches!(item, Expr::Const(_))) {
        true => Ok(()),
        false => Err(refused(
            span,
            "lists that are written out hold what is written out: [1, 2]",
            "use the lists that there are",
        )),
    }
}

fn refused(span: Span, why: impl Into<String>, hint: impl Into<String>) -> RefusedTag {
    RefusedTag { at: span.start_offset as usize, why: why.into(), hint: hint.into() }
}
