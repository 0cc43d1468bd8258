// The types of the API, generated from its OpenAPI document by `scripts/test-page --types`. Never sent to browsers.

export interface paths {
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r/page.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSharedStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSharedPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r/{id}/card.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSharedPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audio/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAudio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkScene"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFields"];
        put?: never;
        post: operations["beginField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields/{id}/entities/{entity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showFieldEntity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMinds"];
        put?: never;
        post: operations["createMind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showMind"];
        put?: never;
        post?: never;
        delete: operations["forgetMind"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds/{id}/consolidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["consolidateMind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds/{id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideMind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["releaseMind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/minds/{id}/relink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["relinkMind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/project/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getProjectFile"];
        put: operations["putProjectFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete: operations["deleteRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/asks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAsks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRunCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["forkRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["stepRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/world-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["postWorldEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scenes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["playScene"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post: operations["beginSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSession"];
        put?: never;
        post?: never;
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["evaluateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["followSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/insight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showInsight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMessages"];
        put?: never;
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["shareAgain"];
        delete: operations["revokeShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/share/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSharedResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Adviser: {
            answered: number;
            asked: number;
            failed: number;
            lastError?: string;
            model: string;
        };
        Agent: {
            color: string;
            description: string;
            id: components["schemas"]["AgentId"];
            name: string;
            provider: string;
        };
        AgentId: string;
        AgentList: {
            agents: components["schemas"]["Agent"][];
        };
        AllCosts: {
            by: components["schemas"]["CostsBy"];
            complete: boolean;
            groups: components["schemas"]["CostGroup"][];
            runs: number;
            total: components["schemas"]["CostAccount"];
            unreadable: number;
        };
        Ask: {
            actor: string;
            ask: number;
            beat: number;
            lines: string[];
            name: string;
            since: string;
            told: string;
            until: string | null;
        };
        BudgetLimits: {
            nextBeatTokens?: number;
            nextBeatUSD?: number;
            tokens?: number;
            usd?: number;
        };
        CallCosts: {
            calls: number;
            estimatedUSD: number | null;
            totalTokens: number | null;
            unaccounted: number;
            usage: components["schemas"]["Usage"];
        };
        CastMember: {
            display: string;
            name: string;
        };
        ChatRequest: {
            conversationId?: string | null;
            message: string;
            slots: components["schemas"]["SlotRequest"][];
        };
        CheckedRole: {
            display: string;
            model: string;
            name: string;
        };
        CheckedScene: {
            goals: components["schemas"]["ReadGoal"][];
            judge: string | null;
            name: string;
            roles: components["schemas"]["CheckedRole"][];
        };
        ChorusCommand: {
            command: "cancel";
        };
        ChorusCounts: {
            dropped: number;
            failed: number;
            mended: number;
            parsed: number;
            refused: number;
            unvoiced: number;
            voiced: number;
        };
        ChorusEnd: "completed" | "failed" | "cancelled" | "budget_exceeded";
        ChorusError: {
            error: string;
            fallback?: string;
            slotId: components["schemas"]["SlotId"];
            turnIndex: number;
            type: string;
        };
        ChorusLine: {
            agentId: string | null;
            at: number;
            audioMs: number | null;
            audioPath: string | null;
            id: number;
            kind: "response" | "comment" | "reply";
            receivedFrom: components["schemas"]["SlotId"][];
            slotId: components["schemas"]["SlotId"];
            spokenBy: string | null;
            targetSlotId: components["schemas"]["SlotId"] | null;
            text: string;
            turnIndex: number;
            voiceProfile: string;
            warnings: string[];
        };
        ChorusMetadata: {
            completedSlots: number;
            costs: components["schemas"]["Costs"];
            counts: components["schemas"]["ChorusCounts"];
            duration: number;
            errors: components["schemas"]["ChorusError"][];
            message: string;
            models: {
                [key: string]: components["schemas"]["ModelCard"];
            };
            reason: components["schemas"]["ChorusEnd"] | null;
            routes: components["schemas"]["ChorusRoute"][];
            runId: components["schemas"]["RunId"];
            seed: number;
            slots: components["schemas"]["ChorusSlot"][];
            speech: {
                [key: string]: components["schemas"]["ChorusSpeech"];
            };
            startedAt: string;
            turns: number;
        };
        ChorusRoute: {
            dropped?: components["schemas"]["SlotId"][];
            from: components["schemas"]["SlotId"][];
            to: components["schemas"]["SlotId"];
        };
        ChorusSlot: {
            agentId: components["schemas"]["AgentId"];
            label?: string;
            model: string;
            name: string;
            slotId: components["schemas"]["SlotId"];
        };
        ChorusSpeech: {
            bytes: number;
            characters: number;
            duration: number;
            files: number;
        };
        ChorusTranscript: {
            lines: components["schemas"]["ChorusLine"][];
            message: string;
            metadata: components["schemas"]["ChorusMetadata"];
        };
        CommandAccepted: {
            commandId: number;
        };
        Context: "thread" | "window";
        CostAccount: {
            calls: number;
            estimatedUSD: number | null;
            knownUSD: number;
            totalTokens: number | null;
            unaccounted: number;
            usage: components["schemas"]["Usage"];
        };
        CostGroup: components["schemas"]["CostAccount"] & {
            key: string | null;
            name?: string;
        };
        Costs: {
            byBeat: {
                [key: string]: components["schemas"]["CallCosts"];
            };
            byCharacter: {
                [key: string]: components["schemas"]["CallCosts"];
            };
            byModel: {
                [key: string]: components["schemas"]["CallCosts"];
            };
            byPurpose: {
                [key: string]: components["schemas"]["CallCosts"];
            };
            cacheHitRate: number | null;
            estimatedUSD: number | null;
            inherited?: components["schemas"]["CallCosts"];
            totalTokens: number | null;
            unaccounted: number;
        };
        CostsBy: "run" | "character" | "model" | "purpose" | "day";
        DeckEvent: string | {
            beat: number;
            text: string;
        };
        EditedKind: "sheets" | "scenes";
        EditedText: {
            kind: components["schemas"]["EditedKind"];
            name: string;
            text: string;
        };
        EpisodeCommand: {
            choice_id?: string | null;
            command: "message";
            id: string;
            text?: string | null;
        } | {
            command: "evaluate";
        } | {
            command: "end";
        } | {
            command: "cancel";
        };
        EpisodeLine: {
            at?: number;
            content: string;
            id: number;
            kind: string;
            round: number;
            speaker?: string;
        };
        EpisodeMetadata: {
            completion_trigger: string | null;
            costs: components["schemas"]["Costs"];
            director_state: {
                [key: string]: unknown;
            };
            ending: string | null;
            episode: string;
            errors: {
                [key: string]: unknown;
            }[];
            evaluation: Record<string, never> | null;
            messages: {
                [key: string]: unknown;
            }[];
            session: string;
            turn_count: number;
        };
        EpisodeTranscript: {
            lines: components["schemas"]["EpisodeLine"][];
            metadata: components["schemas"]["EpisodeMetadata"];
            title: string;
        };
        ErrorBody: {
            code: components["schemas"]["ErrorCode"];
            context: components["schemas"]["ErrorContext"];
            message: string;
        };
        ErrorCode: "INVALID_JSON" | "INVALID_REQUEST" | "INVALID_PARAMETER" | "INVALID_CURSOR" | "INVALID_COMMAND" | "INVALID_CONFIG" | "CHARACTER_LOAD_ERROR" | "IDEMPOTENCY_KEY_REUSED" | "BEAT_NOT_PLAYED" | "NO_SUCH_ROUTE" | "RUN_NOT_FOUND" | "AUDIO_NOT_FOUND" | "AUDIO_EXPIRED" | "METHOD_NOT_ALLOWED" | "RUN_ENDED" | "ASK_NOT_OPEN" | "SESSION_BUSY" | "RUN_IDLE" | "RUN_PLAYING" | "CONVERSATION_BUSY" | "WRONG_PRODUCTION" | "RUN_UNFINISHED" | "RUN_UNREADABLE" | "TOO_LARGE" | "NOT_JSON" | "RANGE_NOT_SATISFIABLE" | "QUEUE_FULL" | "INBOX_FULL" | "STORE_UNAVAILABLE" | "INVALID_HOST" | "INVALID_BODY" | "UNAUTHORIZED" | "FORBIDDEN" | "ORIGIN_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "URI_TOO_LONG" | "HOST_NOT_ALLOWED" | "RATE_LIMITED" | "TOO_MANY_READERS" | "INTERNAL" | "BUSY" | "TIMEOUT" | "EDITING_OFF" | "NO_SUCH_FILE" | "FILE_CHANGED" | "IF_MATCH_REQUIRED" | "NOT_A_CHORUS" | "NOT_AN_EPISODE" | "SESSION_COMPLETE" | "NO_RESULT" | "GUEST_LIMIT" | "NO_GAME" | "NO_ANSWER" | "NOT_A_FIELD" | "NO_SUCH_ENTITY" | "MIND_NOT_FOUND";
        ErrorContext: {
            column?: number;
            hint?: string;
            line?: number;
            parameter?: string;
            path?: string;
            provided?: unknown;
        } & {
            [key: string]: unknown;
        };
        ErrorResponse: {
            error: components["schemas"]["ErrorBody"];
            success: boolean;
        };
        FailedReply: {
            beat: number;
            character: components["schemas"]["Name"];
            error: string;
            fallback?: string;
        };
        FieldCommand: {
            command: "pause";
        } | {
            command: "resume";
        } | {
            command: "step";
            ticks?: number;
        } | {
            command: "speed";
            factor: number;
        } | {
            command: "world_event";
            text: string;
        } | {
            command: "place";
            person?: string | null;
            thing?: string | null;
            x: number;
            y: number;
        } | {
            command: "watch";
            entity?: string | null;
        } | {
            command: "drive";
            entity: string;
            remote?: boolean;
        } | {
            believes?: string | null;
            command: "act";
            decision: unknown;
            entity: string;
            request?: number | null;
        } | {
            command: "remove";
            entity: string;
        } | {
            command: "cancel";
        };
        FieldLine: {
            at?: number;
            content: string;
            id: number;
            kind: string;
            round: number;
            speaker?: string;
        };
        FieldMetadata: {
            bids: {
                [key: string]: unknown;
            };
            conversations: {
                [key: string]: unknown;
            }[];
            costs: components["schemas"]["Costs"];
            errors: {
                [key: string]: unknown;
            }[];
            field: string;
            interactions: {
                [key: string]: unknown;
            };
            rules: number;
            run: string;
            seed: number;
            ticks: number;
            violations: number;
        };
        FieldTranscript: {
            lines: components["schemas"]["FieldLine"][];
            metadata: components["schemas"]["FieldMetadata"];
            title: string;
        };
        ForkedFrom: {
            beat: number;
            line?: number;
            runId: components["schemas"]["RunId"];
        };
        GoalStatus: {
            by: string | null;
            evidence: string | null;
            met: boolean | null;
            reading?: string;
            text: string;
            why?: string;
        };
        Health: {
            live: boolean;
            playing?: number;
            ready: boolean;
            status: string;
            store?: components["schemas"]["StoreHealth"];
            version?: string;
        };
        HumanSeconds: number;
        LinkShape: {
            entity_id: string;
        };
        LogEvent: {
            at: number;
            body: {
                [key: string]: unknown;
            };
            kind: string;
            seq: number;
            v: number;
        };
        MindCommand: {
            command: "decide";
            told: components["schemas"]["MindTold"][];
            withheld?: string[] | null;
        } | {
            command: "link";
            entity_id: string;
        } | {
            command: "release";
        } | {
            command: "consolidate";
        } | {
            command: "cancel";
        };
        MindConfigShape: {
            initial_long_term_memories?: string[] | null;
            initial_working_memory?: Record<string, never> | null;
            llm_model?: string | null;
            personality_dimensions?: {
                [key: string]: number;
            } | null;
            traits?: string[];
        };
        MindLine: {
            at?: number;
            content: string;
            id: number;
            kind: string;
            round: number;
            speaker?: string;
        };
        MindMetadata: {
            actions: {
                [key: string]: unknown;
            };
            complaints: {
                [key: string]: unknown;
            }[];
            costs: components["schemas"]["Costs"];
            decisions: number;
            entityId: string | null;
            mindId: string;
            observations: number;
            passed: number;
            run: string;
            traits: string[];
        };
        MindTold: {
            late?: boolean | null;
            observation: {
                [key: string]: unknown;
            };
            request: string;
        };
        MindTranscript: {
            lines: components["schemas"]["MindLine"][];
            metadata: components["schemas"]["MindMetadata"];
            title: string;
        };
        ModelCard: {
            context: components["schemas"]["Context"];
            description: string;
            fallback?: string[];
            hiddenCalls?: string[];
            human?: boolean;
            label?: string;
            maxTokens?: number;
            model?: string;
            ownTokens?: number;
            parameters?: {
                [key: string]: unknown;
            };
            price: components["schemas"]["Price"] | null;
            provider?: string;
            threadTokens?: number;
        };
        ModelSpeed: {
            answers: number;
            firstWordMs?: number;
            tokensPerSecond: number;
        };
        Name: string;
        NanoUsd: number;
        NewField: {
            field: string;
            minutes?: number | null;
            seed?: number | null;
            speed?: number | null;
            watch?: string | null;
        };
        NewFork: {
            beat: number;
            line?: number | null;
            seed?: number | null;
        };
        NewMessage: {
            choiceId?: string | null;
            id?: string | null;
            text?: string | null;
        };
        NewMindShape: {
            config?: components["schemas"]["MindConfigShape"];
            entity_id: string;
            mind_id: string;
        };
        NewNote: {
            text: string;
            to?: string | null;
        };
        NewScene: {
            budget?: components["schemas"]["RequestedBudget"] | null;
            config: components["schemas"]["SceneConfig"];
            sheets?: {
                [key: string]: string;
            } | null;
            voices?: {
                [key: string]: string;
            } | null;
        };
        NewSession: {
            episode: string;
        };
        NewText: {
            text: string;
        };
        NoTimeout: "none";
        ObservationShape: {
            events?: {
                [key: string]: unknown;
            }[];
            observation: {
                [key: string]: unknown;
            };
            request_id?: string | null;
        };
        OfferedCharacter: {
            about: string;
            display: string;
            name: string;
        };
        OfferedScene: {
            config: components["schemas"]["SceneConfig"];
            example: boolean;
            sheets: {
                [key: string]: string;
            };
        };
        OpenAsks: {
            asks: components["schemas"]["Ask"][];
        };
        PlayedBy: string | {
            [key: string]: string;
        };
        Price: {
            cacheRead: number;
            cacheWrite: number;
            output: number;
            uncached: number;
        };
        ProductionName: "scene" | "chorus" | "episode" | "field" | "mind";
        ProjectOffers: {
            characters: components["schemas"]["OfferedCharacter"][];
            editable: boolean;
            models: string[];
            scenes: components["schemas"]["OfferedScene"][];
            voices: string[];
        };
        ReadGoal: {
            heardAs: string | null;
            readable: boolean;
            reading: string;
            text: string;
        };
        RequestedBudget: {
            tokens?: number | null;
            usd?: number | null;
        };
        Reset: {
            conversationId?: string | null;
        };
        ResetDone: {
            clearedSlots: number[];
            status: string;
        };
        Run: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: components["schemas"]["ProductionName"];
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
        };
        RunAccepted: {
            runId: components["schemas"]["RunId"];
        };
        RunCommand: components["schemas"]["SceneCommand"] | components["schemas"]["ChorusCommand"] | components["schemas"]["EpisodeCommand"] | components["schemas"]["FieldCommand"] | components["schemas"]["MindCommand"];
        RunCosts: {
            costs: components["schemas"]["Costs"];
            runId: components["schemas"]["RunId"];
            status: components["schemas"]["RunStatus"];
        };
        RunDetails: components["schemas"]["SceneRun"] | components["schemas"]["ChorusRun"] | components["schemas"]["EpisodeRun"] | components["schemas"]["FieldRun"] | components["schemas"]["MindRun"];
        RunId: string;
        RunMetadata: components["schemas"]["SceneMetadata"] | components["schemas"]["ChorusMetadata"] | components["schemas"]["EpisodeMetadata"] | components["schemas"]["FieldMetadata"] | components["schemas"]["MindMetadata"];
        RunPage: {
            next: components["schemas"]["RunId"] | null;
            runs: components["schemas"]["Run"][];
        };
        RunResult: components["schemas"]["SceneResult"] | components["schemas"]["ChorusResult"] | components["schemas"]["EpisodeResult"] | components["schemas"]["FieldResult"] | components["schemas"]["MindResult"];
        RunStatus: "waiting" | "playing" | "resting" | "paused" | "interrupted" | "finished";
        RunTranscript: components["schemas"]["SceneTranscript"] | components["schemas"]["ChorusTranscript"] | components["schemas"]["EpisodeTranscript"] | components["schemas"]["FieldTranscript"] | components["schemas"]["MindTranscript"];
        SceneCommand: {
            command: "cancel";
        } | {
            command: "note";
            text: string;
            to?: components["schemas"]["Name"] | null;
        } | {
            command: "world_event";
            text: string;
        } | {
            ask: number;
            command: "answer";
            text: string;
        } | {
            command: "pause";
        } | {
            command: "resume";
        } | {
            command: "step";
        };
        SceneConfig: {
            characters: string[];
            events?: components["schemas"]["DeckEvent"][];
            goals?: string[];
            humanTimeoutSeconds?: (components["schemas"]["HumanSeconds"] | components["schemas"]["NoTimeout"]) | null;
            initialSpeaker?: string | null;
            judge?: "none" | null;
            language?: string | null;
            maxBeats?: number | null;
            models?: {
                [key: string]: string;
            };
            name: string;
            onMalformed?: "salvage" | "retry" | "ignore";
            prompt: string;
            remember?: boolean;
            replyTimeoutSeconds?: number | null;
            seed?: number | null;
            setting?: string | null;
            stageDirections?: boolean;
            title?: string | null;
            window?: number | null;
        };
        SceneCounts: {
            drifts: number;
            events: number;
            failed: number;
            interruptions: number;
            parsed: number;
            salvaged: number;
            silences: number;
        };
        SceneCut: {
            at: number;
            by: string;
        };
        SceneEndReason: "goal_achieved" | "natural_end" | "stalled" | "looping" | "max_beats_exceeded" | "budget_exceeded" | "cancelled" | "failed";
        SceneLine: {
            action: ("speak" | "interrupt" | "silent" | "react") | null;
            at: number;
            beat: number;
            content: string;
            cut: components["schemas"]["SceneCut"] | null;
            full: string;
            id: number;
            interruptAfter: string | null;
            kind: "line" | "event" | "system" | "silence";
            nonverbal: string | null;
            speaker: string | null;
            target: string | null;
            tone: string | null;
        };
        SceneMetadata: {
            advice?: {
                [key: string]: components["schemas"]["Adviser"];
            };
            budget?: components["schemas"]["BudgetLimits"];
            characterCount: number;
            costs: components["schemas"]["Costs"];
            counts: components["schemas"]["SceneCounts"];
            drift: {
                [key: string]: number;
            };
            duration: number;
            errors: components["schemas"]["FailedReply"][];
            fallbacks?: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            forkedFrom?: components["schemas"]["ForkedFrom"];
            goalAchieved: boolean;
            goals: components["schemas"]["GoalStatus"][];
            model: components["schemas"]["PlayedBy"];
            models: {
                [key: string]: components["schemas"]["ModelCard"];
            };
            name: components["schemas"]["Name"];
            paused?: boolean;
            reason: components["schemas"]["SceneEndReason"] | null;
            runId: components["schemas"]["RunId"];
            seed: number;
            speed?: {
                [key: string]: components["schemas"]["ModelSpeed"];
            };
            startedAt: string;
            tension?: components["schemas"]["WatchedRound"][];
            totalBeats: number;
        };
        SceneTranscript: {
            characters: components["schemas"]["CastMember"][];
            lines: components["schemas"]["SceneLine"][];
            metadata: components["schemas"]["SceneMetadata"];
            setting: string | null;
            title: string;
        };
        ServerSentEvent: {
            data: string;
            event: string;
            id?: string;
        };
        SessionBegun: {
            anonymousId?: string;
            continues?: string;
            messagesRemaining?: number;
            openingMessage: string;
            runId: string;
            sceneCard: {
                [key: string]: unknown;
            };
            sessionId: string;
            starterPrompts: string[];
        };
        SlotId: number;
        SlotRequest: {
            agentId: string;
            slotId: components["schemas"]["SlotId"];
        };
        StoreHealth: {
            name: string;
            ok: boolean;
        };
        TranscriptFormat: "txt" | "md" | "json" | "fountain" | "vtt" | "metadata" | "debug" | "html";
        TranscriptJson: components["schemas"]["RunTranscript"] | components["schemas"]["RunMetadata"];
        UntoldTries: {
            all: number;
            output: number;
        };
        Usage: {
            billed?: components["schemas"]["NanoUsd"];
            cacheRead: number;
            cacheWrite: number;
            output: number;
            partial?: boolean;
            uncached: number;
            untold?: components["schemas"]["UntoldTries"];
        };
        WatchedRound: {
            round: number;
            tension: number;
            why: string[];
        };
        WorldEvent: {
            text: string;
        };
        SceneRun: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: "scene";
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
            metadata: components["schemas"]["SceneMetadata"] | null;
        };
        ChorusRun: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: "chorus";
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
            metadata: components["schemas"]["ChorusMetadata"] | null;
        };
        EpisodeRun: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: "episode";
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
            metadata: components["schemas"]["EpisodeMetadata"] | null;
        };
        FieldRun: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: "field";
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
            metadata: components["schemas"]["FieldMetadata"] | null;
        };
        MindRun: {
            events: number;
            name: string;
            parent?: components["schemas"]["RunId"];
            problem?: string;
            production: "mind";
            reason: string | null;
            runId: components["schemas"]["RunId"];
            startedAt: string;
            status: components["schemas"]["RunStatus"];
            metadata: components["schemas"]["MindMetadata"] | null;
        };
        SceneResult: {
            metadata: components["schemas"]["SceneMetadata"];
            outputPath: string;
            production: "scene";
            success: boolean;
            transcript: string;
        };
        ChorusResult: {
            metadata: components["schemas"]["ChorusMetadata"];
            outputPath: string;
            production: "chorus";
            success: boolean;
            transcript: string;
        };
        EpisodeResult: {
            metadata: components["schemas"]["EpisodeMetadata"];
            outputPath: string;
            production: "episode";
            success: boolean;
            transcript: string;
        };
        FieldResult: {
            metadata: components["schemas"]["FieldMetadata"];
            outputPath: string;
            production: "field";
            success: boolean;
            transcript: string;
        };
        MindResult: {
            metadata: components["schemas"]["MindMetadata"];
            outputPath: string;
            production: "mind";
            success: boolean;
            transcript: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showSharedStyle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showSharedPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showSharedPicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getAudio: {
        parameters: {
            query?: never;
            header?: {
                Range?: string;
            };
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            206: {
                headers: {
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "Idempotent-Replayed"?: string | null;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    followChat: {
        parameters: {
            query?: {
                from?: number;
                speed?: number;
            };
            header?: {
                "Last-Event-ID"?: number;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    checkScene: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewScene"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedScene"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getCosts: {
        parameters: {
            query?: {
                by?: "run" | "character" | "model" | "purpose" | "day";
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllCosts"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listEpisodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    beginField: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewField"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showFieldEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                entity: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    followField: {
        parameters: {
            query?: {
                from?: number;
                speed?: number;
            };
            header?: {
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createMind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMindShape"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    forgetMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    consolidateMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    decideMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObservationShape"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    releaseMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    relinkMind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkShape"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOffers"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getProjectFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: components["schemas"]["EditedKind"];
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedText"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    putProjectFile: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
                "If-None-Match"?: string;
            };
            path: {
                kind: components["schemas"]["EditedKind"];
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewText"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedText"];
                };
            };
            201: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedText"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resetChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Reset"] | null;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetDone"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                status?: components["schemas"]["RunStatus"][];
                name?: string;
                q?: string;
                production?: components["schemas"]["ProductionName"];
                parent?: string;
                limit?: number;
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetails"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listAsks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAsks"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCommand"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getRunCosts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunCosts"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    followRun: {
        parameters: {
            query?: {
                from?: number;
                speed?: number;
            };
            header?: {
                "Last-Event-ID"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    forkRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFork"];
            };
        };
        responses: {
            202: {
                headers: {
                    "Idempotent-Replayed"?: string | null;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    pauseRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getRecording: {
        parameters: {
            query?: {
                line?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    stepRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: {
                format?: components["schemas"]["TranscriptFormat"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "text/markdown": string;
                    "application/json": components["schemas"]["TranscriptJson"];
                    "text/vnd.fountain": string;
                    "text/vtt": string;
                    "application/x-ndjson": string;
                    "text/html": string;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    postWorldEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorldEvent"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    playScene: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewScene"];
            };
        };
        responses: {
            202: {
                headers: {
                    "Idempotent-Replayed"?: string | null;
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                character?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    beginSession: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionBegun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    evaluateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAccepted"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    followSession: {
        parameters: {
            query?: {
                from?: number;
                speed?: number;
            };
            header?: {
                "Last-Event-ID"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showInsight: {
        parameters: {
            query?: {
                turn?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewMessage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionBegun"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionBegun"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    shareAgain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    revokeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    showSharedResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
