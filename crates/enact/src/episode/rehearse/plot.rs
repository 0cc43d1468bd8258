//! The tension of each player, turn by turn, as a picture that any browser shows.

use enact_drama::text::escaped_html;

use super::numbers::RehearsalNumbers;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;
const RIGHT: f64 = 190.0;
const BOTTOM: f64 = 50.0;
/// Ten that can be told apart.
const COLOURS: [&str; 10] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#ee8866", "#44bb99",
    "#222222",
];

/// The picture as SVG.
pub(super) fn plot(numbers: &RehearsalNumbers) -> String {
    let turns = numbers.players.iter().map(|player| player.tension.len()).max().unwrap_or(1).max(2);
    let x = |turn: usize| LEFT + (WIDTH - LEFT - RIGHT) * turn as f64 / (turns - 1) as f64;
    let y = |tension: u8| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - f64::from(tension) / 100.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"17\">{}: tension, median of {} sessions</text>\n",
        escaped_html(&numbers.title),
        numbers.sessions
    );
    for tension in [0, 25, 50, 75, 100] {
        let (y, to) = (y(tension), WIDTH - RIGHT);
        svg.push_str(&format!(
            "<path d=\"M{LEFT} {y:.1}H{to}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tension}</text>\n",
            LEFT - 8.0,
            y + 4.0
        ));
    }
    for turn in 0..turns {
        let (x, y) = (x(turn), HEIGHT - BOTTOM + 20.0);
        svg.push_str(&format!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>\n", turn + 1));
    }
    for (at, (player, colour)) in numbers.players.iter().zip(COLOURS).enumerate() {
        let points = player
            .tension
            .iter()
            .enumerate()
            .map(|(turn, tension)| format!("{:.1},{:.1}", x(turn), y(*tension)));
        let points: Vec<String> = points.collect();
        let (legend, row) = (WIDTH - RIGHT + 20.0, TOP + 24.0 * at as f64 + 8.0);
        svg.push_str(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\"/>\n\
             <path d=\"M{legend} {row}h22\" stroke=\"{colour}\" stroke-width=\"4\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
            points.join(" "),
            legend + 30.0,
            row + 4.0,
            escaped_html(&player.name)
        ));
    }
    svg.push_str("</svg>\n");
    svg
}
