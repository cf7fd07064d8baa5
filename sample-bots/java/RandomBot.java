import java.io.*;
import java.util.*;

/** A random player for every game of the referee; README.md says more. */
public class RandomBot {
    static final Random random = new Random();
    static final List<String> moves = new ArrayList<>();

    /** Your strategy goes here. */
    static String choose() {
        if (moves.isEmpty()) return "resign";
        return moves.get(random.nextInt(moves.size()));
    }

    /** The text of the answer, or null if we do not know the command. */
    static String answer(String command, StringTokenizer args) {
        switch (command) {
            case "protocol_version": return "2";
            case "list_commands": return "protocol_version\nlist_commands\n"
                + "name\nversion\nnew_game\nlegal_moves\ngenmove\nquit";
            case "name": return "random-java";
            case "version": return "1";
            case "legal_moves":
                moves.clear();
                while (args.hasMoreTokens()) moves.add(args.nextToken());
                return "";
            case "genmove": return choose();
            case "new_game": case "quit": return "";
            default: return null;
        }
    }

    static String next(StringTokenizer words) {
        return words.hasMoreTokens() ? words.nextToken() : "";
    }

    public static void main(String[] unused) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        String line, command = "";
        while (!command.equals("quit") && (line = in.readLine()) != null) {
            var words = new StringTokenizer(line);
            String id = "";
            command = next(words);
            if (!command.isEmpty() && Character.isDigit(command.charAt(0))) {
                id = command; // it may be missing
                command = next(words);
            }
            if (command.isEmpty()) continue;
            String text = answer(command, words);
            // No "=" + id here: its first use costs Java 30 ms and more.
            var out = new StringBuilder(text == null ? "?" : "=").append(id);
            if (text == null) out.append(" unknown command");
            else if (!text.isEmpty()) out.append(' ').append(text);
            System.out.print(out.append("\n\n"));
            System.out.flush(); // or the answer would wait here for more
        }
    }
}
