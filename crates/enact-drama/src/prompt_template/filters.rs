//! The filters that templates have. What they make in one filling has a bound.

use minijinja::{
    Environment, Error, ErrorKind, State, Value, filters,
    value::{Kwargs, Rest, StringInput, ValueOrKwargs},
};

/// Everything that a template may ask for by name.
pub(super) const FILTERS: [&str; 16] = [
    "capitalize",
    "count",
    "d",
    "default",
    "first",
    "join",
    "last",
    "length",
    "lower",
    "map",
    "rejectattr",
    "replace",
    "selectattr",
    "title",
    "trim",
    "upper",
];

/// All that filters may make while one template is filled in: several times the longest message.
const ALLOWANCE_BYTES: usize = 1024 * 1024;

/// What they have made so far.
#[derive(Debug, Default)]
struct Made(usize);

/// Those of the language that make nothing new stay as they are.
pub(super) fn add_to(environment: &mut Environment) {
    environment.add_filter("capitalize", capitalize);
    environment.add_filter("join", join);
    environment.add_filter("lower", lower);
    environment.add_filter("map", map);
    environment.add_filter("rejectattr", rejectattr);
    environment.add_filter("replace", replace);
    environment.add_filter("selectattr", selectattr);
    environment.add_filter("title", title);
    environment.add_filter("trim", trim);
    environment.add_filter("upper", upper);
}

fn capitalize(state: &mut State, text: StringInput<'_>) -> Result<Value, Error> {
    spend(state, text.as_str().len())?;
    Ok(filters::capitalize(text))
}

fn lower(state: &mut State, text: StringInput<'_>) -> Result<Value, Error> {
    spend(state, text.as_str().len())?;
    Ok(filters::lower(text))
}

fn title(state: &mut State, text: StringInput<'_>) -> Result<String, Error> {
    spend(state, text.as_str().len())?;
    Ok(filters::title(text.as_str().into()))
}

fn trim(state: &mut State, text: StringInput<'_>) -> Result<Value, Error> {
    spend(state, text.as_str().len())?;
    Ok(filters::trim(text, None))
}

fn upper(state: &mut State, text: StringInput<'_>) -> Result<Value, Error> {
    spend(state, text.as_str().len())?;
    Ok(filters::upper(text))
}

fn replace(
    state: &mut State,
    text: StringInput<'_>,
    old: StringInput<'_>,
    new: StringInput<'_>,
) -> Result<Value, Error> {
    let times = text.as_str().matches(old.as_str()).count();
    spend(state, times.saturating_mul(new.as_str().len()).saturating_add(text.as_str().len()))?;
    filters::replace(state, text, old, new)
}

fn join(state: &mut State, items: &Value, between: Option<StringInput<'_>>) -> Result<Value, Error> {
    let gap = between.as_ref().map_or(0, |between| between.as_str().len());
    for item in items.try_iter()? {
        let length = item.as_str().map_or_else(|| item.to_string().len(), str::len);
        spend(state, gap + length)?;
    }
    filters::join(state, items, between, None, Kwargs::from_iter::<[(&str, Value); 0]>([]))
}

fn map(state: &mut State, items: &Value, kwargs: Kwargs) -> Result<Vec<Value>, Error> {
    let name: &str = kwargs.get("attribute")?;
    kwargs.assert_all_used()?;
    let named = |item: Value| {
        spend(state, size_of::<Value>())?;
        item.get_attr(name)
    };
    items.try_iter()?.map(named).collect()
}

fn selectattr(
    state: &mut State,
    items: Value,
    name: StringInput<'_>,
    test: Option<StringInput<'_>>,
    args: Rest<ValueOrKwargs>,
) -> Result<Vec<Value>, Error> {
    spend_items(state, &items)?;
    let test = test.as_ref().map(|test| test.as_str().into());
    filters::selectattr(state, items, name.as_str().into(), test, args)
}

fn rejectattr(
    state: &mut State,
    items: Value,
    name: StringInput<'_>,
    test: Option<StringInput<'_>>,
    args: Rest<ValueOrKwargs>,
) -> Result<Vec<Value>, Error> {
    spend_items(state, &items)?;
    let test = test.as_ref().map(|test| test.as_str().into());
    filters::rejectattr(state, items, name.as_str().into(), test, args)
}

fn spend_items(state: &mut State, items: &Value) -> Result<(), Error> {
    spend(state, items.len().unwrap_or(0).saturating_mul(size_of::<Value>()))
}

/// Before it is made, not after.
fn spend(state: &mut State, bytes: usize) -> Result<(), Error> {
    let made = state.get_or_insert_extension(Made::default());
    made.0 = made.0.saturating_add(bytes);
    match made.0 <= ALLOWANCE_BYTES {
        true => Ok(()),
        false => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!("filters make more than {ALLOWANCE_BYTES} bytes here"),
        )),
    }
}
